import { expect, test } from "vitest";
import { listOf, searchOf } from "./websitelist";

const read = (search: string) => listOf(new URLSearchParams(search));
const plain = { search: "", sort_by: "id", sort: "desc", per_page: 25, page: 1, add: false };

test.each([
  ["nothing", "", {}],
  ["everything", "?search=shop&sort_by=domain&sort=asc&per_page=100&page=3", { search: "shop", sort_by: "domain", sort: "asc", per_page: 100, page: 3 }],
  ["a search with signs", "?search=a%26b%3Dc", { search: "a&b=c" }],
  ["adding a website", "?page=2&add", { page: 2, add: true }],
])("the address with %s is read and written again", (_, search, want) => {
  expect(read(search)).toEqual({ ...plain, ...want });
  expect(searchOf(read(search))).toBe(search);
});

test.each(["?page=0", "?page=-1", "?page=1.5", "?page=x", "?page=9e99", "?per_page=7", "?sort=up", "?sort_by=secret"])("%s is as if it was not there", (search) => {
  expect(read(search)).toEqual(plain);
});
