// Shows the document that describes the interface: a list of operations, each with what it takes and answers.
"use strict";

const el = (tag, attributes, ...children) => {
  const e = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) e.setAttribute(name, value);
  e.append(...children.filter((c) => c !== null && c !== undefined));
  return e;
};

// Text between backticks is code; nothing else is markup.
const prose = (text) => {
  const parts = (text || "").trim().split("`");
  return parts.map((part, i) => (i % 2 ? el("code", {}, part) : part));
};

const paragraphs = (text) => (text || "").trim().split(/\n\s*\n/).map((p) => el("p", {}, ...prose(p)));

let doc;

const follow = (value) => {
  while (value && value.$ref) {
    value = value.$ref.slice(2).split("/").reduce((at, name) => at[name], doc);
  }
  return value || {};
};

// The members of an object, also of one that is made of several.
const members = (schema) => {
  const s = follow(schema);
  const all = { properties: {}, required: [...(s.required || [])] };
  for (const part of s.allOf || []) {
    const m = members(part);
    Object.assign(all.properties, m.properties);
    all.required.push(...m.required);
  }
  Object.assign(all.properties, s.properties || {});
  return all;
};

const typeOf = (schema) => {
  const s = follow(schema);
  const words = [];
  if (s.type) words.push([].concat(s.type).join(" or "));
  if (s.oneOf) words.push(s.oneOf.map(typeOf).join(" or "));
  if (s.items) words.push("of " + typeOf(s.items));
  if (s.enum) words.push("one of " + s.enum.join(", "));
  if (s.default !== undefined) words.push("default " + JSON.stringify(s.default));
  return words.join("; ");
};

const table = (rows) =>
  el("table", {}, ...rows.map(([name, type, text]) =>
    el("tr", {}, el("th", { scope: "row" }, el("code", {}, name)), el("td", {}, type), el("td", {}, ...prose(text)))));

const example = (media) => {
  if (media.example !== undefined) return media.example;
  const first = Object.values(media.examples || {})[0];
  return first && first.value;
};

const asForm = (value) => new URLSearchParams(value).toString();

const bodyOf = (operation) => {
  if (!operation.requestBody) return [];
  const out = [el("h4", {}, "Body")];
  const content = Object.entries(operation.requestBody.content);
  const { properties, required } = members(content[0][1].schema);
  out.push(table(Object.entries(properties).map(([name, schema]) =>
    [name + (required.includes(name) ? " *" : ""), typeOf(schema), follow(schema).description])));
  for (const [type, media] of content) {
    const shown = example(media);
    if (shown === undefined) continue;
    out.push(el("p", {}, el("code", {}, type)));
    out.push(el("pre", { tabindex: "0" }, type.endsWith("json") ? JSON.stringify(shown, null, 2) : asForm(shown)));
  }
  return out;
};

const answersOf = (operation) => {
  const out = [el("h4", {}, "Answers")];
  out.push(table(Object.entries(operation.responses).map(([status, r]) => [status, follow(r).description, ""])));
  for (const [status, r] of Object.entries(operation.responses)) {
    const media = Object.values(follow(r).content || {})[0];
    const shown = media && example(media);
    if (status.startsWith("2") && shown !== undefined) out.push(el("pre", { tabindex: "0" }, JSON.stringify(shown, null, 2)));
  }
  return out;
};

const operationOf = (path, method, operation, shared) => {
  const parameters = [...(shared || []), ...(operation.parameters || [])].map(follow);
  return el("section", { id: operation.operationId },
    el("h3", {}, operation.summary),
    el("pre", { tabindex: "0" }, el("span", { class: "method" }, method.toUpperCase()), " " + path),
    ...paragraphs(operation.description),
    parameters.length ? table(parameters.map((p) => [p.name + (p.required ? " *" : ""), typeOf(p.schema), p.description])) : null,
    ...bodyOf(operation),
    ...answersOf(operation));
};

const show = () => {
  const main = document.getElementById("document");
  const contents = document.getElementById("contents");
  main.replaceChildren(el("h1", {}, doc.info.title), ...paragraphs(doc.info.description),
    el("p", {}, el("a", { href: "/api/openapi.yaml" }, "The document as YAML")));
  for (const tag of doc.tags) {
    main.append(el("h2", {}, tag.name), ...paragraphs(tag.description));
    contents.append(el("b", {}, tag.name));
    for (const [path, item] of Object.entries(doc.paths)) {
      for (const method of ["get", "post", "put", "delete"]) {
        const operation = item[method];
        if (!operation || !operation.tags.includes(tag.name)) continue;
        main.append(operationOf(path, method, operation, item.parameters));
        contents.append(el("a", { href: "#" + operation.operationId }, operation.summary));
      }
    }
  }
  if (location.hash) document.getElementById(location.hash.slice(1))?.scrollIntoView();
};

fetch("/api/openapi.json")
  .then((answer) => answer.json())
  .then((read) => {
    doc = read;
    show();
  })
  .catch(() => {
    document.getElementById("document").textContent = "The document could not be read. Load the page again.";
  });
