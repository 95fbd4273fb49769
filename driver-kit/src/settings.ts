/** Schemas that the settings of several drivers share. */
import { isEdgeId } from "@porchlight/shared/model";
import { z } from "zod";

export const filledText = z.string().min(1);
export const edgeId = z.string().refine(isEdgeId, "must be an EUI-48 or EUI-64 such as 02-1B-44-11-3A-B7");

/**
 * Whether an address has no user and password: a password there would not be used, and would appear in the status, in the log and in the
 * list of processes.
 */
export function isWithoutUser(address: string): boolean {
  const { username, password } = URL.parse(address) ?? { username: "", password: "" };
  return username === "" && password === "";
}

/** `all`, edgeIds, or both in a list: `all` never includes devices that must be admitted individually. */
export const admit = z
  .union([z.literal("all"), z.array(z.union([z.literal("all"), edgeId])).max(1000)])
  .default([])
  .transform((given) => {
    const entries = given === "all" ? [given] : given;
    return { all: entries.includes("all"), edgeIds: new Set(entries.filter((entry) => entry !== "all")) };
  });

/** A name or an address, without the other parts of a URL. */
export const host = z
  .string()
  .max(253)
  .regex(/^[A-Za-z0-9_.:-]+$/, "must be a name or an address, such as 192.168.1.20");

/** `HOST` or `HOST:PORT`; an IPv6 address in brackets. */
export const hostAndPort = (port: number) =>
  z
    .string()
    .max(256)
    .transform((text, context) => {
      const url = URL.parse(`https://${text}`);
      const isPlain = url?.pathname === "/" && url.search === "" && url.hash === "" && url.username === "";
      if (url && isPlain && url.hostname !== "" && !text.includes("/"))
        return { host: url.hostname.replace(/^\[|\]$/g, ""), port: url.port === "" ? port : Number(url.port) };
      context.addIssue({ code: "custom", message: "must be an address such as 10.0.0.9 or bridge.home:443" });
      return z.NEVER;
    });
