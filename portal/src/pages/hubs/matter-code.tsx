/** A QR code as a drawing. Its own file, loaded only where there is one: what computes the code takes as much script as a page. */
import { encode } from "uqr";

/** Light modules around the code, which readers want. */
const EDGE = 2;

export default function MatterCode({ text }: { readonly text: string }) {
  const { data, size } = encode(text, { ecc: "M", border: EDGE });
  const dark = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])));
  return (
    // Dark on light in every theme: readers want it so.
    <svg
      width="160"
      height="160"
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label="QR code"
      shapeRendering="crispEdges"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={dark.join("")} fill="#000" />
    </svg>
  );
}
