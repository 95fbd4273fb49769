/** Digest authentication (RFC 7616, SHA-256) as it stands in a frame: a device's challenge, and the answer to it. */
import { createHash } from "node:crypto";
import { z } from "zod";

const challenge = z.object({
  realm: z.string().max(128),
  nonce: z.union([z.number(), z.string().max(128)]),
  nc: z.number().default(1),
  algorithm: z.literal("SHA-256").default("SHA-256"),
});
export type Challenge = z.output<typeof challenge>;

/** The only user that a device has. */
const USER = "admin";
/** A frame has neither method nor address in the sense of HTTP; these stand for them. */
const REQUEST = "dummy_method:dummy_uri";

/** @param message of the error 401; undefined when it is no challenge */
export function challengeOf(message: string): Challenge | undefined {
  try {
    return challenge.safeParse(JSON.parse(message)).data;
  } catch {
    return undefined;
  }
}

/** The member `auth` of the frames that follow. @param cnonce a number that nobody can foresee */
export function authOf({ realm, nonce, nc, algorithm }: Challenge, password: string, cnonce: number) {
  const secret = sha256(`${USER}:${realm}:${password}`);
  const response = sha256([secret, nonce, nc, cnonce, "auth", sha256(REQUEST)].join(":"));
  return { realm, username: USER, nonce, cnonce, response, algorithm };
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
