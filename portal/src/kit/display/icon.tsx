/** The icons of the portal, all with one stroke width, and its logo. An icon only repeats the word beside it. */
import classes from "./mark.module.css";

/** The portal's icons, all with one stroke width. An icon only repeats the word beside it. */
const PATHS = {
  home: "M4 11 12 4l8 7M6 9.5V20h12V9.5",
  device: "M9 18h6M10 21h4M12 3a6 6 0 0 0-4 10.5c.8.8 1 1.6 1 2.5h6c0-.9.2-1.7 1-2.5A6 6 0 0 0 12 3z",
  zone: "M4 4h7v7H4zM13 4h7v4h-7zM13 11h7v9h-7zM4 14h7v6H4z",
  hub: "M5 14h14v6H5zM8 17h.01M12 14v-4M8.5 8.5a5 5 0 0 1 7 0M6 6a8.5 8.5 0 0 1 12 0",
  scene: "M4 8h8M18 8h2M4 16h2M12 16h8M15 5v6M9 13v6",
  event: "M4 12h4l2-7 4 14 2-7h4",
  webhook: "M12 8a3 3 0 1 1 2.6 3L17 15M9.5 10 7 14.5M6 14a3 3 0 1 0 3 3h6M18 14a3 3 0 1 1-2.5 4.6",
  request: "M5 5h14M5 10h14M5 15h9M5 20h6",
  audit: "M9 4h6v3H9zM9 5H6v16h12V5h-3M9 12h6M9 16h4",
  usage: "M4 20V10M10 20V4M16 20v-7M21 20H3",
  user: "M12 11a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4 21a8 8 0 0 1 16 0",
  server: "M4 4h16v6H4zM4 14h16v6H4zM8 7h.01M8 17h.01",
  place: "M3 12 12 4l9 8M6 10v10h12V10",
  account: "M12 12a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM5 20c.7-3.5 3.5-5 7-5s6.300 1.500 7 5",
  docs: "M6 3h9l4 4v14H6zM14 3v5h5M9 12h7M9 16h7",
  leave: "M10 4H5v16h5M15 8l4 4-4 4M9 12h10",
  menu: "M4 6h16M4 12h16M4 18h16",
  copy: "M9 9h11v11H9zM15 9V4H4v11h5",
  check: "M5 12.500l4.500 4.500L19 7",
  close: "M6 6l12 12M18 6 6 18",
  search: "M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM16 16l5 5",
  refresh: "M20 12a8 8 0 1 1-2.300-5.700M20 4v5h-5",
  more: "M6 12h.01M12 12h.01M18 12h.01",
  up: "M6 15l6-6 6 6",
  down: "M6 9l6 6 6-6",
  left: "M15 6l-6 6 6 6",
  right: "M9 6l6 6-6 6",
  plus: "M12 5v14M5 12h14",
  minus: "M5 12h14",
  warn: "M12 4 2.500 20h19zM12 10v5M12 17.500h.01",
  pause: "M8 5v14M16 5v14",
  play: "M7 5l12 7-12 7z",
  thing: "M6 6h12v12H6zM10 10h4v4h-4z",
  lock: "M6 11h12v9H6zM9 11V8a3 3 0 0 1 6 0v3M12 15v2",
  thermostat: "M10 13.500V5a2 2 0 0 1 4 0v8.500a4 4 0 1 1-4 0zM12 9v7",
  cover: "M4 4h16M6 4v12h12V4M6 8h12M6 12h12M12 16v4",
  valve: "M4 12v6l8-3 8 3v-6l-8 3zM12 15V7M8 7h8",
  fan: "M12 12c0-4-3-5-3-7s3-3 4 0 0 5-1 7c4 0 5-3 7-3s3 3 0 4-5 0-7-1c0 4 3 5 3 7s-3 3-4 0 0-5 1-7c-4 0-5 3-7 3s-3-3 0-4 5 0 7 1z",
  safety: "M12 3l7 3v5c0 5-3 8-7 10-4-2-7-5-7-10V6zM12 8v5M12 16h.01",
  contact: "M6 21V4l9-1v18M15 21h4V6h-4M12 12h.01M4 21h16",
  motion: "M13 5.500a1.500 1.500 0 1 0 0-.010M9 21l2-6-2-3 1-5 4 2 3 2M9 8l-3 3M11 15l4 2 1 4",
  button: "M12 20a8 8 0 1 0 0-16 8 8 0 0 0 0 16zM12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6z",
  power: "M12 4v8M7 7a7 7 0 1 0 10 0",
  climate: "M12 4c3 4 5 6.500 5 9.500a5 5 0 0 1-10 0C7 10.500 9 8 12 4zM9.500 14a2.500 2.500 0 0 0 2.500 2.500",
  meter: "M13 3 6 13h5l-1 8 8-11h-5z",
  battery: "M4 8h14v8H4zM21 11v2M7 11v2M10 11v2",
  list: "M8 6h12M8 12h12M8 18h12M4 6h.01M4 12h.01M4 18h.01",
  edit: "M4 20l1-4L16 5l3 3L8 19zM14 7l3 3",
  grip: "M9 6h.01M15 6h.01M9 12h.01M15 12h.01M9 18h.01M15 18h.01",
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name, size = 18 }: { readonly name: IconName; readonly size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.75"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      <path d={PATHS[name]} />
    </svg>
  );
}

/** The logo: a lamp under a gable, drawn as one line; lit when the viewed hub is online. */
export function Mark({ isLit }: { readonly isLit: boolean }) {
  return (
    <svg className={classes.mark} data-lit={isLit} viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d="M3 12 12 4l9 8M12 4v5M9 14a3 3 0 0 1 6 0v1H9zM10.5 18h3" />
    </svg>
  );
}
