/** Schemas that several settings share. */
import { isEdgeId } from "@porchlight/shared/model";
import { z } from "zod";

export const filledText = z.string().min(1);
export const edgeId = z.string().refine(isEdgeId, "must be an EUI-48 or EUI-64 such as 02-1B-44-11-3A-B7");

/** A password in an address would not be used, and would be shown in the status, in the log and in the list of processes. */
export function isWithoutUser(address: string): boolean {
  const { username, password } = URL.parse(address) ?? { username: "", password: "" };
  return username === "" && password === "";
}
