/** A colour wheel for pointer, touch and arrow keys; it sends hue and saturation while it turns. */
import { type KeyboardEvent, type PointerEvent, useRef } from "react";
import type { WheelRanges } from "./control-of.ts";
import classes from "./wheel.module.css";
import { afterKey, type Colour, colourAt, colourWord, cssColour, placeOf } from "./wheel.ts";

interface ColourWheelProps {
  readonly ranges: WheelRanges;
  /** The requested colour while a write is pending, otherwise the reported one; undefined before the first report. */
  readonly colour: Colour | undefined;
  /** The last reported colour. */
  readonly known: Colour | undefined;
  readonly isPending: boolean;
  /** Receives only the components that differ from the displayed colour. */
  readonly onAsk: (change: Partial<Colour>) => void;
}

/** The assumed colour before the first report. */
const WHITE: Colour = { hue: 0, saturation: 0 };

export function ColourWheel({ ranges, colour, known, isPending, onAsk }: ColourWheelProps) {
  const disc = useRef<HTMLDivElement>(null);
  const thumb = useRef<HTMLDivElement>(null);
  const shown = colour ?? WHITE;
  const ask = ({ hue, saturation }: Colour) => {
    const change = {
      ...(hue !== colour?.hue && { hue }),
      ...(saturation !== colour?.saturation && { saturation }),
    };
    if (Object.keys(change).length > 0) onAsk(change);
  };
  const follow = (event: PointerEvent<HTMLDivElement>) => {
    const box = disc.current?.getBoundingClientRect();
    if (!box) return;
    const x = ((event.clientX - box.left) / box.width) * 2 - 1;
    const y = ((event.clientY - box.top) / box.height) * 2 - 1;
    ask(colourAt({ x, y }, shown.hue, ranges));
  };
  const grab = (event: PointerEvent<HTMLDivElement>) => {
    if (event.button !== 0) return;
    event.preventDefault();
    event.currentTarget.setPointerCapture(event.pointerId);
    thumb.current?.focus({ preventScroll: true });
    follow(event);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const next = afterKey(event.key, event.shiftKey, shown, ranges);
    if (!next) return;
    event.preventDefault();
    ask(next);
  };
  return (
    <div
      className={classes.wheel}
      ref={disc}
      onPointerDown={grab}
      onPointerMove={(event) => event.currentTarget.hasPointerCapture(event.pointerId) && follow(event)}
    >
      {isPending && known && <span className={classes.known} style={styleOf(known)} aria-hidden="true" />}
      <div
        className={classes.thumb}
        ref={thumb}
        data-pending={isPending || undefined}
        data-empty={colour === undefined || undefined}
        style={{ ...styleOf(shown), background: cssColour(shown) }}
        role="slider"
        tabIndex={0}
        aria-label="Colour wheel. Left and right arrows change the hue, up and down arrows change the saturation."
        aria-valuemin={ranges.hue.min}
        aria-valuemax={ranges.hue.max}
        aria-valuenow={shown.hue}
        aria-valuetext={`${colour ? textOf(shown) : "no value"}${isPending ? ", pending" : ""}`}
        onKeyDown={onKeyDown}
      />
    </div>
  );
}

function textOf(colour: Colour): string {
  return `${colourWord(colour)}, hue ${colour.hue} degrees, saturation ${colour.saturation} percent`;
}

/** Position of the thumb; the disc's rim lies half a thumb inside the wheel's edge. */
function styleOf(colour: Colour): { readonly left: string; readonly top: string } {
  const { x, y } = placeOf(colour);
  return { left: `${50 + x * 50}%`, top: `${50 + y * 50}%` };
}
