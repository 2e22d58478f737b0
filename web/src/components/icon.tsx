// Icons of 16 × 16, drawn with lines of the text's colour.
const paths = {
  left: "M10 3.5 5.5 8l4.5 4.5",
  right: "M6 3.5 10.5 8 6 12.5",
  down: "M4 6l4 4 4-4",
  close: "M4 4l8 8M12 4l-8 8",
  check: "M3.5 8.5 6.5 11.5 12.5 5",
  plus: "M8 3.5v9M3.5 8h9",
  filter: "M2.5 4.5h11M4.5 8h7M6.5 11.5h3",
  search: "M7 11.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9zM10.5 10.5l3 3",
  calendar: "M3 4.5h10v8.5H3zM3 7.5h10M5.5 2.5v3M10.5 2.5v3",
  expand: "M9.5 3H13v3.5M13 3 9 7M6.5 13H3V9.5M3 13l4-4",
  download: "M8 3v7M5 7.5 8 10.5l3-3M3 13h10",
  note: "M3.5 3h9v7.5l-2.5 2.5h-6.5zM6 6.5h4M6 9h2.5",
  more: "M3.5 8h.01M8 8h.01M12.5 8h.01",
  user: "M8 8a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zM3 13.5c.6-2.4 2.6-3.5 5-3.5s4.4 1.1 5 3.5",
  gear: "M2.5 5h6M12 5h1.5M10.25 6.75a1.75 1.75 0 1 0 0-3.5 1.75 1.75 0 0 0 0 3.5zM2.5 11H4M7.5 11h6M5.75 12.75a1.75 1.75 0 1 0 0-3.5 1.75 1.75 0 0 0 0 3.5z",
  copy: "M6 6h7v7H6zM10 6V3H3v7h3",
  up: "M8 12.5v-9M4 7.5l4-4 4 4",
  warning: "M8 3 14 13H2zM8 7v3M8 11.8h.01",
};

export type IconName = keyof typeof paths;

export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
      <path d={paths[name]} />
    </svg>
  );
}

/** The sign of Footfall: three steps. */
export function Logo() {
  return (
    <svg class="logo" viewBox="0 0 20 20" width="20" height="20" aria-hidden="true">
      <rect x="1" y="11" width="4" height="8" rx="2" />
      <rect x="8" y="6" width="4" height="13" rx="2" />
      <rect x="15" y="1" width="4" height="18" rx="2" />
    </svg>
  );
}
