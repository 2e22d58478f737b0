import { expect, test } from "vitest";
import { match } from "./router";

test("every path leads to its page", () => {
  expect(match("/")).toEqual({ page: "websites" });
  for (const page of ["sign-in", "setup", "account", "installation"]) expect(match("/" + page)).toEqual({ page });
  expect(match("/example.com")).toEqual({ page: "dashboard", domain: "example.com" });
  expect(match("/localhost")).toEqual({ page: "dashboard", domain: "localhost" });
  expect(match("/example.com/settings")).toEqual({ page: "settings", domain: "example.com" });
});

test("other paths lead nowhere", () => {
  for (const path of ["/docs", "/api/v1/websites", "/account/x", "/example.com/x", "/example.com/settings/x", "/%E0%A4%A", "//"]) {
    expect(match(path)).toEqual({ page: "nowhere" });
  }
});
