/** In which ecosystem something is made, and in which ones a list looks. */
import { NamedError } from "@porchlight/shared/kernel";
import { type Caller, type References, reach } from "../access/index.ts";

/** @param given `ecosystemId` of the body @throws "Ecosystem Missing", and those of the reference */
export async function ecosystemToMakeIn(
  references: References,
  caller: Caller,
  given: string | null | undefined,
): Promise<string> {
  if (given) return (await references.resolve(caller, "eco", given)).ecosystemId;
  const [only, ...others] = reach(caller);
  if (only === undefined || others.length > 0) throw new NamedError("Ecosystem Missing");
  return only;
}

/** @param filter `ecosystemId` of the query @throws those of the reference */
export async function ecosystemsToList(
  references: References,
  caller: Caller,
  filter: string | undefined,
): Promise<readonly string[]> {
  if (filter === undefined) return reach(caller);
  return [(await references.resolve(caller, "eco", filter)).ecosystemId];
}

/** A whole ecosystem, its ID then standing for both, or a single environment of one. */
export interface ListedPlace {
  readonly eco: string;
  readonly place: string;
}

/**
 * Where a list of what stands in environments looks: in whole ecosystems, or in single environments where a user or a filter confines it.
 * @param filter `environmentId` of the query
 * @throws those of the reference
 */
export async function placesToList(
  references: References,
  caller: Caller,
  filter: string | undefined,
): Promise<readonly ListedPlace[]> {
  if (filter !== undefined) {
    const { ecosystemId, id } = await references.resolve(caller, "env", filter);
    return [{ eco: ecosystemId, place: id }];
  }
  if (caller.kind === "user") return [...caller.environmentIds].map((place) => ({ eco: caller.ecosystemId, place }));
  return reach(caller).map((eco) => ({ eco, place: eco }));
}
