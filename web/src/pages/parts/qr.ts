// QR codes as ISO/IEC 18004 describes them: text as bytes, error correction M, the smallest version that holds it.

// Of each version from 1 on at level M: codewords for correction in a block, and blocks.
const correction = [10, 16, 26, 18, 24, 16, 18, 22, 22, 26, 30, 22, 22, 24, 24, 28, 28, 26, 26, 26];
const blocks = [1, 1, 1, 2, 2, 4, 4, 4, 5, 5, 5, 8, 9, 9, 10, 10, 11, 13, 14, 16];

/** qr draws a text: rows of modules, true is dark. Undefined if it is too long, which is from 667 bytes on. */
export function qr(text: string): boolean[][] | undefined {
  const bytes = new TextEncoder().encode(text);
  const version = 1 + blocks.findIndex((_, i) => bytes.length <= capacity(i + 1));
  if (version === 0) return undefined;
  const words = corrected(dataWords(bytes, version), version);
  const choices = masks.map((_, mask) => draw(words, version, mask));
  return choices.reduce((best, next) => (penalty(next) < penalty(best) ? next : best));
}

const sizeOf = (version: number) => 17 + 4 * version;
const totalWords = (version: number) => (moduleCount(version) / 8) | 0;
const dataLength = (version: number) => totalWords(version) - correction[version - 1]! * blocks[version - 1]!;
const lengthBits = (version: number) => (version < 10 ? 8 : 16);
const capacity = (version: number) => dataLength(version) - Math.ceil((4 + lengthBits(version)) / 8);

// Modules that are free for data: all but the finders, timing, alignment, format and version.
function moduleCount(version: number): number {
  const size = sizeOf(version);
  const taken = frame(version).taken.flat().filter(Boolean).length;
  return size * size - taken;
}

// The bits 0100 for bytes, the length, the bytes, zeros to the end of a word, then 236 and 17 in turn.
function dataWords(bytes: Uint8Array, version: number): number[] {
  const bits: number[] = [];
  const put = (value: number, n: number) => {
    for (let i = n - 1; i >= 0; i--) bits.push((value >> i) & 1);
  };
  put(4, 4);
  put(bytes.length, lengthBits(version));
  bytes.forEach((b) => put(b, 8));
  const length = dataLength(version);
  put(0, Math.min(4, length * 8 - bits.length));
  while (bits.length % 8) bits.push(0);
  const words = Array.from({ length: bits.length / 8 }, (_, i) => bits.slice(8 * i, 8 * i + 8).reduce((w, b) => 2 * w + b, 0));
  for (let pad = 236; words.length < length; pad ^= 236 ^ 17) words.push(pad);
  return words;
}

// The words in blocks, the shorter blocks first, each with its correction; then first words first.
function corrected(words: number[], version: number): number[] {
  const count = blocks[version - 1]!;
  const size = correction[version - 1]!;
  const short = Math.floor(words.length / count);
  const longs = words.length % count;
  const parts: number[][] = [];
  for (let i = 0, at = 0; i < count; i++) {
    const length = short + (i >= count - longs ? 1 : 0);
    parts.push(words.slice(at, (at += length)));
  }
  const columns = (lists: number[][]) =>
    Array.from({ length: Math.max(...lists.map((l) => l.length)) }, (_, i) => lists.flatMap((l) => l[i] ?? [])).flat();
  return [...columns(parts), ...columns(parts.map((p) => remainder(p, size)))];
}

/** times multiplies in the field of 256 elements that x⁸+x⁴+x³+x²+1 makes. */
export function times(a: number, b: number): number {
  let product = 0;
  for (let i = 7; i >= 0; i--) product = (product << 1) ^ ((product >> 7) * 0x11d) ^ (((b >> i) & 1) * a);
  return product;
}

// Reed and Solomon: what remains of the words, as a polynomial, divided by the one with the roots 1, 2, 4 …
function remainder(words: number[], size: number): number[] {
  let divisor = [1];
  for (let i = 0, root = 1; i < size; i++, root = times(root, 2)) {
    divisor = [...divisor, 0].map((c, j) => c ^ times(divisor[j - 1] ?? 0, root));
  }
  const rest = [...words, ...Array<number>(size).fill(0)];
  words.forEach((_, i) => {
    const factor = rest[i]!;
    divisor.forEach((c, j) => (rest[i + j]! ^= times(c, factor)));
  });
  return rest.slice(words.length);
}

interface Frame {
  dark: boolean[][];
  taken: boolean[][];
}

// All that is the same for every text of a version. The places of the format are taken, but empty.
function frame(version: number): Frame {
  const size = sizeOf(version);
  const make = () => Array.from({ length: size }, () => Array<boolean>(size).fill(false));
  const f = { dark: make(), taken: make() };
  const set = (x: number, y: number, dark: boolean) => {
    if (x < 0 || y < 0 || x >= size || y >= size) return;
    f.dark[y]![x] = dark;
    f.taken[y]![x] = true;
  };
  const square = (cx: number, cy: number, reach: number, dark: (ring: number) => boolean) => {
    for (let y = -reach; y <= reach; y++) for (let x = -reach; x <= reach; x++) set(cx + x, cy + y, dark(Math.max(Math.abs(x), Math.abs(y))));
  };
  for (let i = 0; i < size; i++) {
    set(i, 6, i % 2 === 0);
    set(6, i, i % 2 === 0);
  }
  const at = alignment(version);
  const last = at.length - 1;
  at.forEach((y, i) => at.forEach((x, j) => {
    const atFinder = (i === 0 && (j === 0 || j === last)) || (i === last && j === 0);
    if (!atFinder) square(x, y, 2, (ring) => ring !== 1);
  }));
  for (const [x, y] of [[3, 3], [size - 4, 3], [3, size - 4]] as const) square(x, y, 4, (ring) => ring !== 2 && ring !== 4);
  for (let i = 0; i < 9; i++) for (const [x, y] of [[i, 8], [8, i], [size - 1 - Math.min(i, 7), 8], [8, size - 1 - Math.min(i, 7)]] as const) if (!f.taken[y]![x]) set(x, y, false);
  set(8, size - 8, true);
  if (version >= 7) {
    const bits = (version << 12) | checkBits(version, 12, 0x1f25);
    for (let i = 0; i < 18; i++) {
      const [near, far] = [Math.floor(i / 3), size - 11 + (i % 3)];
      set(near, far, ((bits >> i) & 1) === 1);
      set(far, near, ((bits >> i) & 1) === 1);
    }
  }
  return f;
}

function alignment(version: number): number[] {
  if (version === 1) return [];
  const count = Math.floor(version / 7) + 2;
  const step = Math.ceil((4 * version + 4) / (2 * count - 2)) * 2; // holds up to version 31
  return [6, ...Array.from({ length: count - 1 }, (_, i) => sizeOf(version) - 7 - step * (count - 2 - i))];
}

// What remains of a value shifted by n bits, divided by a polynomial with n as its highest power.
function checkBits(value: number, n: number, polynomial: number): number {
  let rest = value << n;
  for (let i = 31 - n; i >= 0; i--) if ((rest >> (i + n)) & 1) rest ^= polynomial << i;
  return rest;
}

const masks: ((x: number, y: number) => boolean)[] = [
  (x, y) => (x + y) % 2 === 0,
  (_, y) => y % 2 === 0,
  (x) => x % 3 === 0,
  (x, y) => (x + y) % 3 === 0,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2 === 0,
  (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
];

function draw(words: number[], version: number, mask: number): boolean[][] {
  const { dark, taken } = frame(version);
  const size = dark.length;
  const bit = (i: number) => (((words[i >> 3] ?? 0) >> (7 - (i & 7))) & 1) === 1;
  let i = 0;
  for (let right = size - 1, up = true; right > 0; right -= 2, up = !up) {
    if (right === 6) right = 5; // the timing has this column
    for (let n = 0; n < size; n++) {
      const y = up ? size - 1 - n : n;
      for (const x of [right, right - 1]) {
        if (!taken[y]![x]) dark[y]![x] = bit(i++) !== masks[mask]!(x, y);
      }
    }
  }
  drawFormat(dark, mask);
  return dark;
}

// Level M is 00, so that the format is the mask alone. It stands there twice.
function drawFormat(dark: boolean[][], mask: number): void {
  const size = dark.length;
  const bits = ((mask << 10) | checkBits(mask, 10, 0x537)) ^ 0x5412;
  for (let i = 0; i < 15; i++) {
    const on = ((bits >> i) & 1) === 1;
    if (i < 8) dark[i < 6 ? i : i + 1]![8] = on;
    else dark[8]![i === 8 ? 7 : 14 - i] = on;
    if (i < 8) dark[8]![size - 1 - i] = on;
    else dark[size - 15 + i]![8] = on;
  }
}

// How hard it is to read: runs of five and more, squares of four, what looks like a finder, and too much of one colour.
function penalty(dark: boolean[][]): number {
  const size = dark.length;
  const lines = [...dark, ...dark.map((_, x) => dark.map((row) => row[x]!))].map((l) => l.map((d) => (d ? "1" : "0")).join(""));
  let sum = 0;
  for (const line of lines) {
    for (const run of line.match(/0{5,}|1{5,}/g) ?? []) sum += run.length - 2;
    sum += 40 * (line.match(/(?=00001011101|10111010000)/g) ?? []).length;
  }
  for (let y = 1; y < size; y++) {
    for (let x = 1; x < size; x++) {
      const d = dark[y]![x];
      if (dark[y]![x - 1] === d && dark[y - 1]![x] === d && dark[y - 1]![x - 1] === d) sum += 3;
    }
  }
  const share = dark.flat().filter(Boolean).length / (size * size);
  return sum + 10 * Math.floor(Math.abs(share - 0.5) * 20);
}
