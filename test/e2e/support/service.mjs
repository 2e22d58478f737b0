// The real service: the binary, built as it is shipped, on a data directory of its own.
import { execFile, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);
const root = fileURLToPath(new URL("../../..", import.meta.url));

// FOOTFALL_BINARY names a binary that is built already.
async function build(dir) {
  if (process.env.FOOTFALL_BINARY) return process.env.FOOTFALL_BINARY;
  const binary = join(dir, "footfall");
  await run("go", ["build", "-trimpath", "-o", binary, "."], { cwd: root, env: { ...process.env, CGO_ENABLED: "0" } });
  return binary;
}

const withoutSettings = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("FOOTFALL_")));

// house is a place to run the binary in, with a data directory unless one is named already.
async function house(data) {
  const dir = await mkdtemp(join(tmpdir(), "footfall-e2e-"));
  return { dir, binary: await build(dir), data: data ?? join(dir, "data") };
}

// command runs the binary with something to read, and returns what it says.
async function command(binary, args, input = "") {
  const child = run(binary, args, { env: withoutSettings });
  child.child.stdin.end(input);
  return (await child).stdout.trim();
}

// listen starts the binary and returns when it says where it listens, with what it has said.
async function listen({ dir, binary }, args, last = /Footfall listens on \S+\n/) {
  const service = spawn(binary, [...args, "--listen", "127.0.0.1:0"], { env: withoutSettings, stdio: ["ignore", "pipe", "pipe"] });
  let log = "";
  service.stderr.on("data", (chunk) => (log += chunk));
  const orphaned = () => service.kill("SIGTERM"); // a test that breaks off leaves nothing running
  process.once("exit", orphaned);
  const ended = new Promise((resolve) => service.on("exit", resolve));
  const said = await new Promise((resolve, reject) => {
    let out = "";
    service.stdout.on("data", (chunk) => {
      out += chunk;
      if (last.test(out)) resolve(out);
    });
    ended.then(() => reject(new Error(`the service ended: ${out}${log}`)));
  });
  const [, url] = /Footfall listens on (\S+)\n/.exec(said);
  return {
    url,
    said,
    port: Number(new URL(url).port),
    log: () => log,
    stop: async () => {
      process.off("exit", orphaned);
      service.kill("SIGTERM");
      await ended;
      await rm(dir, { recursive: true, force: true });
    },
  };
}

// asker asks the interface with a key, and returns what it answers.
const asker = (url, key) => async (path, options = {}) => {
  const response = await fetch(url + path, { ...options, headers: { Authorization: `Bearer ${key}`, ...options.headers } });
  const body = await response.json();
  if (!response.ok) throw new Error(`${path} is ${response.status}: ${JSON.stringify(body)}`);
  return body;
};

// owner is the account of the tests.
export const owner = { email: "owner@example.com", password: "a long password" };

// start starts the service and makes an account with a key. It returns when the service is ready.
export async function start(...flags) {
  const at = await house();
  const data = ["--data-dir", at.data];
  await command(at.binary, ["user", "add", owner.email, ...data], owner.password + "\n");
  const key = await command(at.binary, ["key", "add", owner.email, ...data]);
  const service = await listen(at, ["serve", ...data, ...flags]);
  const ask = asker(service.url, key);
  return {
    ...service,
    key,
    ask,
    website: async (domain, settings = {}) =>
      (await ask("/api/v1/websites", { method: "POST", body: new URLSearchParams({ domain, ...settings }) })).data,
  };
}

// startOn starts it on a data directory that somebody filled. Its key only reads, and is the first account's.
export async function startOn(data) {
  const at = await house(data);
  const users = await command(at.binary, ["user", "list", "--data-dir", data]);
  const key = await command(at.binary, ["key", "add", /\S+@\S+/.exec(users)[0], "--name", "e2e", "--scope", "read", "--data-dir", data]);
  const service = await listen(at, ["serve", "--data-dir", data]);
  return { ...service, key, ask: asker(service.url, key) };
}

// startEmpty starts the service where nothing is yet. link makes the first account.
export async function startEmpty(...flags) {
  const at = await house();
  const service = await listen(at, ["serve", "--data-dir", at.data, ...flags], /first account, once: \S+\n/);
  return { ...service, link: /first account, once: (\S+)\n/.exec(service.said)[1] };
}

// startDemo starts the service with made-up traffic.
export async function startDemo(...flags) {
  const service = await listen(await house(), ["demo", ...flags], /API key: \S+\n/);
  const [, email, password] = /Sign in: (\S+) with the password (\S+)\n/.exec(service.said);
  const [, key] = /API key: (\S+)\n/.exec(service.said);
  const websites = [...service.said.matchAll(/Website (\d+): (\S+), /g)].map(([, id, domain]) => ({ id: Number(id), domain }));
  return { ...service, email, password, key, ask: asker(service.url, key), websites };
}
