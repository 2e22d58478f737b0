// Search, order and page of the list of websites, as they stand in the address.

export const sizes = [10, 25, 50, 100] as const;
export const orders = ["id desc", "id asc", "domain asc", "domain desc"] as const;

export interface List {
  search: string;
  sort_by: "id" | "domain";
  sort: "asc" | "desc";
  per_page: (typeof sizes)[number];
  page: number;
  add: boolean; // a website is being added
}

const initial: List = { search: "", sort_by: "id", sort: "desc", per_page: 25, page: 1, add: false };

/** listOf reads the list from an address. What it does not understand is as if it was not there. */
export function listOf(p: URLSearchParams): List {
  const page = Number(p.get("page"));
  return {
    search: p.get("search")?.trim().slice(0, 200) ?? "",
    sort_by: p.get("sort_by") === "domain" ? "domain" : "id",
    sort: p.get("sort") === "asc" ? "asc" : "desc",
    per_page: sizes.find((s) => String(s) === p.get("per_page")) ?? initial.per_page,
    page: Number.isInteger(page) && page > 0 && page <= 1e9 ? page : 1,
    add: p.has("add"),
  };
}

/** searchOf writes the list into an address: only what differs from the ordinary. */
export function searchOf(list: List): string {
  const p = new URLSearchParams();
  for (const name of ["search", "sort_by", "sort", "per_page", "page"] as const) {
    if (list[name] !== initial[name]) p.set(name, String(list[name]));
  }
  if (list.add) p.set("add", "");
  const text = p.toString().replace(/(^|&)add=/, "$1add");
  return text && "?" + text;
}
