import { expect, test } from "vitest";
import { qr, times } from "./qr";

const picture = (text: string) => qr(text)?.map((row) => row.map((dark) => (dark ? "#" : ".")).join(""));

// A phone reads this as the address.
test("a short text is drawn as readers expect it", () => {
  expect(picture("https://example.com/setup")).toEqual([
    "#######.#...#.#...#######",
    "#.....#...#..##.#.#.....#",
    "#.###.#.###..#..#.#.###.#",
    "#.###.#..#..###...#.###.#",
    "#.###.#..##...#...#.###.#",
    "#.....#.#..#..#...#.....#",
    "#######.#.#.#.#.#.#######",
    ".........##.#.###........",
    "#.#...##..#...#.#..#..#.#",
    "###.##.##.#.##.#.###.#.##",
    "#####.##.##....#.#..###.#",
    ".##.#....##.#.#.#..#.#...",
    "...#######.##..##.##....#",
    "..#.#.....#.#.###.##...##",
    "####.####...#.#####..##.#",
    "..###...#.###.#.##.###...",
    "##.#..#.#.#.#...#####..#.",
    "........###.....#...#...#",
    "#######.##.###..#.#.#...#",
    "#.....#...#...###...#..#.",
    "#.###.#..#.#...######..#.",
    "#.###.#....##.#..#..#.##.",
    "#.###.#.#.##.#.###.###.##",
    "#.....#..#..#..######....",
    "#######.#.##....#.#..#..#",
  ]);
});

// What the standard says a version holds in bytes at level M.
test.each([[1, 14], [2, 26], [6, 106], [7, 122], [9, 180], [10, 213], [15, 412], [20, 666]])("version %i holds %i bytes and no more", (version, bytes) => {
  const size = (n: number) => qr("x".repeat(n))?.length;
  expect(size(bytes)).toBe(17 + 4 * version);
  expect(size(bytes + 1)).toBe(version === 20 ? undefined : 17 + 4 * (version + 1));
});

test("letters beyond ASCII count as the bytes that they are", () => {
  expect(qr("ä".repeat(7))?.length).toBe(21);
  expect(qr("ä".repeat(8))?.length).toBe(25);
});

test("the field multiplies as the standard's does", () => {
  expect(times(2, 128)).toBe(0x1d); // x · x⁷ = x⁸, which is x⁴+x³+x²+1
  expect(times(3, 7)).toBe(9); // (x+1)(x²+x+1) = x³+1
  expect(times(0, 77)).toBe(0);
  expect(times(1, 77)).toBe(77);
});
