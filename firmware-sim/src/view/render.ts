/**
 * Renders the screen as lines of text: devices on top, the selected device's values in the middle, the last frames below. It does not
 * depend on a terminal.
 */
import { printable, type Value } from "@porchlight/shared/model";
import type { DeviceRow, PropertyRow, Scene, Screen } from "./keys.ts";

export interface Size {
  readonly columns: number;
  readonly rows: number;
  readonly colour: boolean;
}

const HELP =
  "q quit · ↑↓ device · tab value · ←→ turn · enter press · u plug · r reboot · b brown-out · f fault · n heal · +- speed · space hold";

const STYLES = { bold: "1", dim: "2", red: "31", green: "32", yellow: "33", selected: "7" } as const;
type Style = keyof typeof STYLES;

/** Exactly `rows` lines, none wider than `columns`. */
export function render(scene: Scene, screen: Screen, size: Size): string[] {
  const { columns, rows } = size;
  const paint = painter(size);
  const device = scene.devices[screen.device];
  const title = `porchlight-sim · ${scene.devices.length} devices · life ${clockFace(scene.lived)} at ${pace(scene.speed)} · seed ${scene.seed}`;
  const values = device ? device.properties.map((row, at) => propertyLine(row, at === screen.property, size)) : [];
  const room = Math.max(1, rows - 6);
  const shownValues = around(values, screen.property, Math.min(values.length, Math.ceil(room / 3)));
  const left = Math.max(1, room - shownValues.length);
  const deviceLines = scene.devices.map((row, at) => deviceLine(row, at === screen.device, size));
  const shownDevices = around(deviceLines, screen.device, Math.min(deviceLines.length, Math.ceil(left / 2)));
  const frames = scene.frames.slice(-Math.max(0, left - shownDevices.length)).map((line) => fit(line, columns));
  const lines = [
    paint("bold", fit(title, columns)),
    ...shownDevices,
    paint("dim", rule(device ? heading(device) : "", columns)),
    ...shownValues,
    paint("dim", rule("frames", columns)),
    ...frames,
  ];
  const end = [fit(screen.message, columns), paint("dim", fit(HELP, columns))];
  const blank = Array.from({ length: Math.max(0, rows - lines.length - end.length) }, () => "");
  return [...lines, ...blank, ...end].slice(-rows);
}

const STATE_STYLE: Readonly<Record<DeviceRow["state"], Style>> = {
  live: "green",
  greeting: "yellow",
  "no power": "red",
  unplugged: "red",
};

function deviceLine(row: DeviceRow, isSelected: boolean, size: Size): string {
  const mark = isSelected ? ">" : " ";
  const blink = row.isBlinking ? "*" : " ";
  const stated = row.properties
    .filter(({ description }) => description.access.includes("read"))
    .map(({ description, value }) => `${description.property} ${shown(value)}`)
    .join("  ");
  const fault = row.fault === "" ? "" : `! ${row.fault}  `;
  const head = `${mark}${blink}${printable(row.name).padEnd(24).slice(0, 24)} ${row.edgeId.padEnd(17)} `;
  const state = row.state.padEnd(10);
  const rest = fit(`${fault}${stated}`, Math.max(0, size.columns - head.length - state.length));
  if (head.length + state.length > size.columns) return fit(head + state, size.columns);
  return `${painter(size)(isSelected ? "selected" : undefined, head)}${painter(size)(STATE_STYLE[row.state], state)}${rest}`;
}

function heading({ name, port, lineFaults }: DeviceRow): string {
  return [`${name} ${port}`, ...(lineFaults === "" ? [] : [`line: ${lineFaults}`])].join(" · ");
}

function propertyLine({ key, description, value }: PropertyRow, isSelected: boolean, size: Size): string {
  const { unit = "", min, max, values, access } = description;
  const range = min !== undefined && max !== undefined ? `${min} to ${max}` : (values?.join(" ") ?? description.type);
  const stated = access.includes("read") ? `${shown(value)} ${unit}`.trim() : "-";
  const text = fit(`${isSelected ? ">" : " "} ${key.padEnd(28)} ${stated.padEnd(16)} ${range}`, size.columns);
  return painter(size)(isSelected ? "selected" : undefined, text);
}

function painter({ colour }: Size): (style: Style | undefined, text: string) => string {
  return (style, text) => (colour && style !== undefined ? `\u001b[${STYLES[style]}m${text}\u001b[0m` : text);
}

function shown(value: Value): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** Text cut to this width, without characters that move the cursor. */
function fit(text: string, columns: number): string {
  const plain = printable(text);
  return plain.length <= columns ? plain : `${plain.slice(0, Math.max(0, columns - 1))}…`.slice(0, columns);
}

function rule(text: string, columns: number): string {
  return fit(`── ${text} `.padEnd(columns, "─"), columns);
}

/** A window of `count` lines that contains the selected one. */
function around(lines: readonly string[], selected: number, count: number): readonly string[] {
  const from = Math.max(0, Math.min(selected - Math.floor(count / 2), lines.length - count));
  return lines.slice(from, from + count);
}

function clockFace(seconds: number): string {
  const two = (number: number) => String(Math.floor(number)).padStart(2, "0");
  return `${two(seconds / 3600)}:${two((seconds / 60) % 60)}:${two(seconds % 60)}`;
}

function pace(speed: number): string {
  return speed === 0 ? "a standstill" : `speed ${speed}`;
}
