/** Colours for a canvas, which knows no style sheet: asked of the page as it is now, light or dark. */

/** So many series or states have a colour of their own; then they begin anew. */
export const HUES = 8;

export interface Colours {
  readonly text: string;
  readonly quiet: string;
  readonly line: string;
  readonly ground: string;
  readonly hues: readonly string[];
  readonly font: string;
}

/** @param root an element within the chart, whose class has the names of the hues */
export function coloursOf(root: HTMLElement): Colours {
  const probe = document.createElement("span");
  root.append(probe);
  // A colour on its way from another is neither.
  probe.style.transition = "none";
  const style = getComputedStyle(probe);
  const ask = (name: string) => {
    probe.style.color = `var(--${name})`;
    return style.color;
  };
  const colours = {
    ...{ text: ask("text"), quiet: ask("quiet"), line: ask("line"), ground: ask("raised") },
    hues: Array.from({ length: HUES }, (_, index) => ask(`hue-${index}`)),
    font: style.fontFamily,
  };
  probe.remove();
  return colours;
}

/** Lines of one colour differ by their dashes. px */
const DASHES: readonly (readonly number[])[] = [[], [8, 4], [2, 3]];

/** @param index of the series */
export function dashOf(index: number): readonly number[] {
  return DASHES[Math.floor(index / HUES) % DASHES.length] ?? [];
}
