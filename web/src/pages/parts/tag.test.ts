import { describe, expect, test } from "vitest";
import { frameOf, integrityOf, tagOf } from "./tag";

describe("the tag", () => {
  test("has the domain and the script of this installation", () => {
    expect(tagOf("https://stats.example.org", "example.com", [])).toBe(
      '<script defer data-domain="example.com" src="https://stats.example.org/js/script.js"></script>');
  });
  test("has options always in the same order, whatever was chosen first", () => {
    expect(tagOf("http://localhost:8080", "example.com", ["local", "dnt", "404", "outbound"])).toBe(
      '<script defer data-domain="example.com" data-outbound data-dnt="true" data-404 data-local src="http://localhost:8080/js/script.js"></script>');
  });
  test("with a hash is asked for in a way that lets the browser check it", () => {
    expect(tagOf("https://s.example", "example.com", [], "sha384-abc")).toBe(
      '<script defer data-domain="example.com" src="https://s.example/js/script.js" integrity="sha384-abc" crossorigin="anonymous"></script>');
  });
  test("cannot be left by what stands in an attribute", () => {
    expect(tagOf("https://s.example", '"><img src=x>&', [])).toBe(
      '<script defer data-domain="&quot;>&lt;img src=x>&amp;" src="https://s.example/js/script.js"></script>');
  });
});

test("a frame shows the dashboard without anything around it", () => {
  expect(frameOf("https://s.example", "example.com")).toContain('src="https://s.example/example.com?embed=true"');
});

describe("the hash", () => {
  const hash = "a".repeat(62) + "+/";
  test.each([
    ["an entity tag of the script", `"${hash}"`, "sha384-" + hash],
    ["one of the packed script", `"${hash}-gzip"`, "sha384-" + hash],
    ["one that a proxy made weak", `W/"${hash}"`, "sha384-" + hash],
    ["another entity tag", '"1234"', ""],
    ["none", null, ""],
    ["one that ends early", `"${hash}`, ""],
  ])("of %s", (_, etag, want) => expect(integrityOf(etag)).toBe(want));
});
