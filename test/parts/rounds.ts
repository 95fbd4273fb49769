/** How many rounds a test counts: a few in `npm test`, as many as are asked for in `npm run test:long`, which runs the files that ask here. */

export function rounds(few: number, many: number): number {
  return process.env.PORCHLIGHT_LONG === "1" ? many : few;
}
