/**
 * Returns the value that a Student's t variable exceeds in size with a probability (G. W. Hill, Algorithm
 * 396, CACM 13, 1970). Pure.
 *
 * @param alpha probability of both tails, above 0 and below 1
 * @param freedom degrees of freedom, from 1; need not be whole
 */
export function studentTQuantile(alpha: number, freedom: number): number {
  if (freedom <= 1) return 1 / Math.tan((alpha * Math.PI) / 2);
  const a = 1 / (freedom - 0.5);
  const b = 48 / a ** 2;
  let c = ((20_700 * a) / b - 98) * a - 16;
  c = c * a + 96.36;
  const d = ((94.5 / (b + c) - 3) / b + 1) * Math.sqrt((a * Math.PI) / 2) * freedom;
  let y = (d * alpha) ** (2 / freedom);
  if (y <= 0.05 + a) {
    const tail = ((freedom + 6) / (freedom * y) - 0.089 * d - 0.822) * (freedom + 2) * 3;
    y = ((1 / tail + 0.5 / (freedom + 4)) * y - 1) * ((freedom + 1) / (freedom + 2)) + 1 / y;
    return Math.sqrt(freedom * y);
  }
  const x = normalQuantile(alpha);
  y = x ** 2;
  if (freedom < 5) c += 0.3 * (freedom - 4.5) * (x + 0.6);
  c += (((0.05 * d * x - 5) * x - 7) * x - 2) * x + b;
  y = (((((0.4 * y + 6.3) * y + 36) * y + 94.5) / c - y - 3) / b + 1) * x;
  return Math.sqrt(freedom * Math.expm1(a * y ** 2));
}

/**
 * Returns the value that a standard normal variable exceeds in size with a probability (Abramowitz and Stegun
 * 26.2.23).
 */
export function normalQuantile(alpha: number): number {
  const t = Math.sqrt(-2 * Math.log(alpha / 2));
  return (
    t - (2.515517 + t * (0.802853 + t * 0.010328)) / (1 + t * (1.432788 + t * (0.189269 + t * 0.001308)))
  );
}
