// The token stands after the # of the link, so that no server, log or proxy sees it before it is used.
"use strict";

const form = document.getElementById("setup");
const said = document.getElementById("said");
const token = location.hash.slice(1);

const words = (body) => body.message || "The service did not answer as expected.";

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const body = Object.fromEntries(new FormData(form));
  const answer = await fetch("/api/v1/setup", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ ...body, token }),
  }).catch(() => null);
  const read = answer ? await answer.json().catch(() => ({})) : {};
  if (!answer || !answer.ok) {
    said.textContent = words(read);
    return;
  }
  history.replaceState(null, "", "/setup");
  form.hidden = true;
  said.textContent = `You are signed in as ${read.data.email}. Make an API key with: footfall key add ${read.data.email}`;
});

if (!token) said.textContent = "Open the link that the service printed when it started.";
