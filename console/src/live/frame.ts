/** Lays a board out as cells for a terminal size: a pure decision, so that each size has a test. */
import { relativeTime, type Showing } from "../render/cell.ts";
import { type Part, type Style, styled, textOf } from "../render/style.ts";
import { shortened, widthOf } from "../render/table.ts";
import type { BoardRow, DeviceState } from "./board.ts";

/** A piece of a line at its place; cells of a line do not overlap. */
export interface Cell {
  /** From 0. */
  readonly at: number;
  readonly width: number;
  readonly part: Part;
}

export interface FrameState {
  readonly title: string;
  readonly rows: readonly BoardRow[];
  /** State of the stream, in a few words. */
  readonly connection: { readonly isUp: boolean; readonly text: string };
  /** Number of rows above the visible ones. */
  readonly scroll: number;
  readonly showing: Showing;
  /** ms of a monotonic clock. */
  readonly monotonic: number;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** How long a change is highlighted, ms. */
const STANDS_OUT = 3000;
/** Lines without rows: the title, the headings, the foot. */
const AROUND = 3;
const GAP = 2;
/** Below this width the ages are dropped in favour of the values. */
const WIDE_ENOUGH = 56;
const AGE_WIDTH = 10;

interface Mark {
  readonly style: Style;
  readonly mark: string;
  readonly ascii: string;
}

const UNKNOWN: Mark = { style: "yellow", mark: "◌", ascii: "?" };
const MARKS: Readonly<Record<string, Mark>> = {
  online: { style: "green", mark: "●", ascii: "*" },
  offline: { style: "red", mark: "○", ascii: "o" },
  unknown: UNKNOWN,
  virtual: { style: "dim", mark: " ", ascii: " " },
} satisfies Readonly<Record<DeviceState, Mark>>;

/** A service newer than this console can send an unknown state. */
function markOf(state: DeviceState): Mark {
  return (Object.hasOwn(MARKS, state) ? MARKS[state] : undefined) ?? UNKNOWN;
}

/** The last scroll position. */
export function furthestScroll(rows: number, { height }: Size): number {
  return Math.max(0, rows - Math.max(1, height - AROUND));
}

/** Number of rows that fit. */
export function pageOf({ height }: Size): number {
  return Math.max(1, height - AROUND);
}

/** Lines from the top; at most `height` lines, and no cell beyond `width`. */
export function frame(state: FrameState, size: Size): Cell[][] {
  const widths = columnWidths(state.rows, size.width);
  const from = Math.min(state.scroll, furthestScroll(state.rows.length, size));
  const visible = state.rows.slice(from, from + pageOf(size));
  const body = visible.map((row, index) => rowLine(row, index > 0 ? visible[index - 1] : undefined, widths, state));
  const empty = Array.from({ length: pageOf(size) - body.length }, () => []);
  const lines = [titleLine(state, size.width), headingLine(widths), ...body, ...empty, footLine(state, from, size)];
  return lines.slice(0, size.height);
}

interface Widths {
  readonly device: number;
  readonly property: number;
  readonly value: number;
  /** 0 when there is no room for it. */
  readonly age: number;
}

function columnWidths(rows: readonly BoardRow[], width: number): Widths {
  const age = width >= WIDE_ENOUGH ? AGE_WIDTH : 0;
  const room = width - (age > 0 ? age + GAP : 0) - 2 * GAP;
  // Two columns for the state's mark and a space.
  const device = Math.min(2 + Math.max(6, ...rows.map((row) => widthOf(row.device))), Math.floor(room * 0.34));
  const property = Math.min(Math.max(8, ...rows.map((row) => widthOf(row.property))), Math.floor(room * 0.38));
  return { device, property, value: Math.max(0, room - device - property), age };
}

function placed(texts: readonly Part[], { device, property, value, age }: Widths, { isUnicode }: Showing): Cell[] {
  const widths = [device, property, value, age];
  let at = 0;
  return texts.flatMap((part, index) => {
    const width = widths[index] ?? 0;
    const cell = { at, width, part: fitted(part, width, isUnicode) };
    at += width + GAP;
    return width > 0 ? [cell] : [];
  });
}

function headingLine(widths: Widths): Cell[] {
  const headings = ["  device", "property", "value", "changed"].map((text) => styled("bold", text));
  return placed(headings, widths, { now: 0, isForPerson: true, isUnicode: true });
}

/** @param before the row above it on the screen: a device's name is shown once */
function rowLine(row: BoardRow, before: BoardRow | undefined, widths: Widths, state: FrameState): Cell[] {
  const { showing, monotonic } = state;
  const { style, mark, ascii } = markOf(row.state);
  const isNamed = before?.deviceId !== row.deviceId;
  const device = isNamed ? `${showing.isUnicode ? mark : ascii} ${row.device}` : "";
  const isNew = row.changedAt !== undefined && monotonic - row.changedAt < STANDS_OUT;
  // The value of an unreachable device is only the last known one.
  const isAsKnown = row.state === "offline" || row.state === "unknown";
  const value = isNew ? styled("bold", row.value) : isAsKnown ? styled("dim", row.value) : row.value;
  const age = styled("dim", (row.modifiedAt && relativeTime(row.modifiedAt, showing.now)) ?? "");
  return placed([styled(style, device), row.property, value, age], widths, showing);
}

function titleLine({ title, connection, showing }: FrameState, width: number): Cell[] {
  const { style, mark, ascii } = markOf(connection.isUp ? "online" : "offline");
  const status = fitted(`${showing.isUnicode ? mark : ascii} ${connection.text}`, width, showing.isUnicode);
  const right = widthOf(textOf(status));
  const room = Math.max(0, width - right - GAP);
  const left = { at: 0, width: room, part: fitted(styled("bold", title), room, showing.isUnicode) };
  return [left, { at: width - right, width: right, part: styled(style, textOf(status)) }].filter(
    (cell) => cell.width > 0,
  );
}

function footLine({ rows, showing }: FrameState, from: number, size: Size): Cell[] {
  const below = rows.length - from - pageOf(size);
  const [up, down] = showing.isUnicode ? ["↑", "↓"] : ["up", "down"];
  const more = [...(from > 0 ? [`${up} ${from} more`] : []), ...(below > 0 ? [`${down} ${below} more`] : [])];
  const text = ["q quits", ...more].join("   ");
  return [{ at: 0, width: size.width, part: fitted(styled("dim", text), size.width, showing.isUnicode) }];
}

function fitted(part: Part, width: number, isUnicode: boolean): Part {
  const text = shortened(textOf(part), width, isUnicode ? "…" : "...");
  return typeof part === "string" ? text : styled(part.style, text);
}
