/**
 * Returns the decoder for a text by its first bytes: UTF-8, or UTF-16 with or without a byte order mark, as
 * PowerShell and Notepad write it. The decoder drops the mark. None of the kit's files begins with a NUL, so
 * one among the first two bytes shows UTF-16.
 */
export function decoderOf(first: Uint8Array): TextDecoder {
  const [one, two] = first;
  if ((one === 0xff && two === 0xfe) || (two === 0 && one !== 0 && one !== undefined))
    return new TextDecoder('utf-16le');
  if ((one === 0xfe && two === 0xff) || (one === 0 && two !== 0 && two !== undefined))
    return new TextDecoder('utf-16be');
  return new TextDecoder('utf-8');
}

export const decodedText = (bytes: Uint8Array): string => decoderOf(bytes).decode(bytes);
