/** Draws a QR code. It is its own file to load on demand: the encoder is as large as a whole page. */
import { encode } from "uqr";

/** The quiet zone that readers require, in modules. */
const EDGE = 2;

export default function MatterCode({ text }: { readonly text: string }) {
  const { data, size } = encode(text, { ecc: "M", border: EDGE });
  const dark = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])));
  return (
    // Dark on light in every theme, as readers require.
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
