import { inflateRawSync } from 'node:zlib';

/**
 * Returns Playwright's HTML page and every unpacked entry of its ZIP archive. The page keeps that archive in
 * Base64, which would hide a text from a search.
 */
export function unpacked(page: string): readonly string[] {
  const packed = /data:application\/zip;base64,([\w+/=]+)/.exec(page)?.[1];
  return packed === undefined ? [page] : [page, ...entriesOf(Buffer.from(packed, 'base64'))];
}

/** Reads the directory at an archive's end: place and packed size of each entry (PKZIP application note, 4.3). */
function entriesOf(archive: Buffer): readonly string[] {
  const end = archive.lastIndexOf('PK\x05\x06', undefined, 'latin1');
  const count = archive.readUInt16LE(end + 10);
  const texts: string[] = [];
  for (let entry = 0, at = archive.readUInt32LE(end + 16); entry < count; entry += 1) {
    const [method, size] = [archive.readUInt16LE(at + 10), archive.readUInt32LE(at + 20)];
    const local = archive.readUInt32LE(at + 42);
    const start = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28);
    const bytes = archive.subarray(start, start + size);
    texts.push((method === 0 ? bytes : inflateRawSync(bytes)).toString('utf8'));
    at += 46 + archive.readUInt16LE(at + 28) + archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32);
  }
  return texts;
}
