/**
 * Returns whether a text stands for a removed key: brackets, asterisks or dots only, a variable, or a usual
 * word. Recorders and people write these.
 */
export const isMask = (text: string): boolean =>
  /^[<[({].*[>\])}]$|^[*x.•█-]{2,}$|^\$\{?\w+\}?$|^%\w+%$|^\{\{.*\}\}$/i.test(text.trim()) ||
  /^(redacted|removed|masked|hidden|sanitized|secret|filtered|api[_-]?key|token|your[_-].*)$/i.test(
    text.trim(),
  );

/**
 * Returns whether a text is what recorders write in the place of one that they removed. JSON in brackets is
 * none.
 */
export const isRemoved = (text: string): boolean =>
  /^\W*(redacted|removed|masked|hidden|sanitized|filtered|omitted|truncated)\W*$|^[*•█]{3,}$/i.test(
    text.trim(),
  );
