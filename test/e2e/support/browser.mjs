// The browser of the tests: Debian's Chromium. CHROMIUM names another one.
import { execFileSync } from "node:child_process";
import { chromium } from "playwright-core";

export const executablePath = process.env.CHROMIUM ?? execFileSync("sh", ["-c", "command -v chromium"], { encoding: "utf8" }).trim();

// Playwright turns features off too; Chromium hears only the last that is said of them, so its list is part of ours.
const off = [
  "AimEnabled",
  "AvoidCorsURLLoaderRestartOnRedirect",
  "AvoidUnnecessaryBeforeUnloadCheckSync",
  "DestroyProfileOnBrowserClose",
  "HttpsFirstBalancedModeAutoEnable",
  "HttpsUpgrades",
  "LensOverlay",
  "MediaRouter",
  "NetworkTimeServiceQuerying",
  "OptimizationHints",
  "PaintHolding",
  "PreconnectToSearch",
  "ThirdPartyStoragePartitioning",
  // The list below the address bar, which nobody sees here, is a page and a process for each window: a third of all the work.
  "WebUIOmniboxAimPopup",
  "WebUIOmniboxPopup",
];

const flags = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  `--disable-features=${off}`,
  // Every name is this machine. No test speaks to another.
  "--host-resolver-rules=MAP * 127.0.0.1",
];

// Without a window Chromium says so in its user agent. This is what it says with one. A context's own userAgent is not the
// same: pages that are about to close see through it.
const major = /\d+/.exec(execFileSync(executablePath, ["--version"], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }))[0];
const userAgent = `Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${major}.0.0.0 Safari/537.36`;

// launch starts a browser that looks like a person's: it does not tell pages that it is driven by a test, unless automated.
export function launch({ args = [], automated = false, ignoreDefaultArgs = [] } = {}) {
  const asPerson = automated ? [] : ["--disable-blink-features=AutomationControlled", `--user-agent=${userAgent}`];
  return chromium.launch({ executablePath, headless: true, args: [...flags, ...asPerson, ...args], ignoreDefaultArgs });
}

// commandLine is what starts the browser without any driver.
export const commandLine = (...args) => [executablePath, ["--headless", ...flags, ...args]];
