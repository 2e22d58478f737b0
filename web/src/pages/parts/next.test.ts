import { expect, test } from "vitest";
import { nextOf } from "./next";

test.each([
  ["nothing", "", "/"],
  ["a dashboard", "/example.com?period=7d", "/example.com?period=7d"],
  ["another website", "https://evil.example/", "/"],
  ["another website without its scheme", "//evil.example/", "/"],
  ["another website behind a backslash", "/\\evil.example/", "/"],
  ["a tab, which browsers skip, before the second slash", "/\t/evil.example", "/"],
  ["a script", "javascript:alert(1)", "/"],
  ["signing in again", "/sign-in?next=/", "/"],
  ["a path without its slash", "example.com", "/"],
])("after signing in, %s leads to where it should", (_, next, want) => {
  const url = new URL("https://stats.example/sign-in");
  if (next) url.searchParams.set("next", next);
  expect(nextOf(url)).toBe(want);
});
