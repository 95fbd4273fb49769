/** A body as a page: hashed, and compressed once. */
import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { Page } from "./pages.ts";

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);

/** Best but one: the last step costs ten times as much for a hundredth. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };
/** Types that are compressed already. */
const PACKED_TYPES = /^(?:font|image\/(?!svg))/;

/** A body with its hash, compressed unless its type is. */
export async function packed(body: Buffer, about: Pick<Page, "status" | "type" | "isImmutable">): Promise<Page> {
  const hash = createHash("sha256").update(body).digest("base64url").slice(0, 16);
  if (PACKED_TYPES.test(about.type)) return { ...about, body, hash, coded: {} };
  const [br, gz] = await Promise.all([brotli(body, BROTLI), zip(body, { level: 9 })]);
  return { ...about, body, hash, coded: { br, gzip: gz } };
}
