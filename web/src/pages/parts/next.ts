/** nextOf is where to go after signing in: a path of ours, and nothing that leads elsewhere. */
export function nextOf(url: URL): string {
  const next = url.searchParams.get("next") ?? "/";
  let to: URL;
  try {
    to = new URL(next, url.origin); // as the browser would read it
  } catch {
    return "/";
  }
  const ours = next.startsWith("/") && to.origin === url.origin && !to.pathname.startsWith("//");
  return ours && to.pathname !== "/sign-in" ? to.pathname + to.search + to.hash : "/";
}
