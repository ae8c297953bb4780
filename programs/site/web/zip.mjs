// Files as a .zip, not compressed.
//
// Exports:
//   zip(files)   returns a Blob of bytes by path
// @ts-check

const TABLE = Array.from({ length: 256 }, (_, byte) => {
  let sum = byte;
  for (let i = 0; i < 8; i++) sum = sum & 1 ? 0xedb88320 ^ (sum >>> 1) : sum >>> 1;
  return sum;
});

const checksum = (bytes) => ~bytes.reduce((sum, byte) => TABLE[(sum ^ byte) & 255] ^ (sum >>> 8), -1);

/** Returns numbers of 2 or 4 bytes each, as [bytes, number], one after the other. */
function packed(...numbers) {
  const view = new DataView(new ArrayBuffer(numbers.reduce((sum, [bytes]) => sum + bytes, 0)));
  let at = 0;
  for (const [bytes, number] of numbers) {
    if (bytes === 2) view.setUint16(at, number, true);
    else view.setUint32(at, number, true);
    at += bytes;
  }
  return view.buffer;
}

export function zip(files) {
  const now = new Date();
  const time = (now.getHours() << 11) | (now.getMinutes() << 5) | (now.getSeconds() >> 1);
  const date = ((now.getFullYear() - 1980) << 9) | ((now.getMonth() + 1) << 5) | now.getDate();
  const entries = Object.entries(files);
  const [parts, list] = [[], []];
  let at = 0;
  for (const [path, bytes] of entries) {
    const name = new TextEncoder().encode(path);
    // Version 1.0, names in UTF-8, stored; time; checksum, both sizes, length of the name, no more.
    const about = [
      ...[10, 1 << 11, 0, time, date].map((number) => [2, number]),
      ...[checksum(bytes), bytes.length, bytes.length].map((number) => [4, number]),
      [2, name.length],
      [2, 0],
    ];
    const head = packed([4, 0x04034b50], ...about);
    parts.push(head, name, bytes);
    const rest = [2, 2, 2].map((size) => [size, 0]);
    list.push(packed([4, 0x02014b50], [2, 10], ...about, ...rest, [4, 0], [4, at]), name);
    at += head.byteLength + name.length + bytes.length;
  }
  const size = list.reduce((sum, part) => sum + part.byteLength, 0);
  const end = packed(
    [4, 0x06054b50],
    [2, 0],
    [2, 0],
    [2, entries.length],
    [2, entries.length],
    [4, size],
    [4, at],
    [2, 0],
  );
  return new Blob([...parts, ...list, end], { type: 'application/zip' });
}
