/** Marks a string as CSS, for editors and the formatter. */
export const css = String.raw;
