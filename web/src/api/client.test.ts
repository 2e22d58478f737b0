import { afterEach, expect, test, vi } from "vitest";
import { ApiError, file, get, isAbort, json, post } from "./client";

const answer = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  vi.stubGlobal("fetch", vi.fn(async () => new Response(typeof body === "string" ? body : JSON.stringify(body), { status, headers })));

afterEach(() => vi.unstubAllGlobals());

const failure = async (p: Promise<unknown>): Promise<ApiError> =>
  p.then(() => { throw new Error("it went well"); }, (e) => e);

test("data is what stands under data", async () => {
  answer(200, { data: { id: 7 } });
  expect(await get("/websites/7")).toEqual({ id: 7 });
  expect(fetch).toHaveBeenCalledWith("/api/v1/websites/7", expect.objectContaining({ method: "GET", body: null }));
});

test("a list keeps what stands beside its data", async () => {
  answer(200, { data: [], meta: { total: 0 } });
  expect(await json("GET", "/websites", { query: { search: "a b", page: 2, sort: undefined, empty: "" } })).toEqual({ data: [], meta: { total: 0 } });
  expect(fetch).toHaveBeenCalledWith("/api/v1/websites?search=a+b&page=2", expect.anything());
});

test("a body is sent as JSON", async () => {
  answer(201, { data: {} });
  await post("/keys", { name: "x" });
  const sent = vi.mocked(fetch).mock.calls[0]![1]!;
  expect(sent).toMatchObject({ method: "POST", body: '{"name":"x"}' });
  expect(sent.headers).toMatchObject({ "Content-Type": "application/json" });
});

test("an error tells what is wrong with each field", async () => {
  answer(422, { message: "domain is required.", code: "invalid", errors: { domain: ["is required"] } });
  const e = await failure(post("/websites", {}));
  expect(e).toBeInstanceOf(ApiError);
  expect(e).toMatchObject({ status: 422, code: "invalid", message: "domain is required." });
  expect(e.field("domain")).toBe("Is required.");
  expect(e.field("email")).toBeUndefined();
});

test("an error tells how long to wait", async () => {
  answer(503, { message: "Later.", code: "unavailable", errors: {} }, { "Retry-After": "3" });
  expect(await failure(get("/me"))).toMatchObject({ code: "unavailable", retryAfter: 3 });
});

test("an error of somebody between us and the service is an error too", async () => {
  answer(502, "<html>Bad gateway");
  expect(await failure(get("/me"))).toMatchObject({ status: 502, code: "internal" });
  answer(200, "<html>Sign in to the hotel");
  expect(await failure(get("/me"))).toMatchObject({ code: "unreadable" });
});

test("no way to the service is an error like others, giving up is none", async () => {
  vi.stubGlobal("fetch", async () => { throw new TypeError("Failed to fetch"); });
  expect(await failure(get("/me"))).toMatchObject({ status: 0, code: "offline" });
  vi.stubGlobal("fetch", async () => { throw new DOMException("", "AbortError"); });
  expect(isAbort(await failure(get("/me")))).toBe(true);
});

test("a file is asked for by its type", async () => {
  answer(200, "a,b");
  expect(await (await file("POST", "/query", { accept: "text/csv", body: {} })).text()).toBe("a,b");
  expect(vi.mocked(fetch).mock.calls[0]![1]!.headers).toMatchObject({ Accept: "text/csv" });
});
