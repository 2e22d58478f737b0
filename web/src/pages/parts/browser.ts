import { t } from "../../texts";

const browsers: [RegExp, string][] = [
  [/Edg\//, "Edge"], [/OPR\//, "Opera"], [/SamsungBrowser\//, "Samsung Internet"], [/Firefox\/|FxiOS\//, "Firefox"], [/Chrome\/|CriOS\//, "Chrome"], [/Safari\//, "Safari"],
];
const systems: [RegExp, string][] = [
  [/iPhone/, "iPhone"], [/iPad/, "iPad"], [/Android/, "Android"], [/Windows/, "Windows"], [/CrOS/, "ChromeOS"], [/Mac OS X/, "macOS"], [/Linux/, "Linux"],
];

/** thisBrowser is what a session is recognised by: Firefox on Linux. */
export function thisBrowser(agent = navigator.userAgent): string {
  const find = (list: [RegExp, string][]) => list.find(([pattern]) => pattern.test(agent))?.[1];
  const [browser, system] = [find(browsers), find(systems)];
  return browser && system ? t.signIn.browser(browser, system) : (browser ?? system ?? "");
}
