/** What users and server keys are called where only their ID is known. */
import { useQuery } from "@tanstack/react-query";
import { serversQuery, usersQuery } from "../../data/queries.ts";
import { nameOf, shortId } from "../../kit/text/names.ts";
import { useApi } from "../../session/context.tsx";

/** A subject's name by its ID; the ID in short of those that are gone, or of another ecosystem. */
export function useSubjectNames(ecosystemId: string): (id: string) => string {
  const api = useApi();
  const { data: users = [] } = useQuery(usersQuery(api, ecosystemId));
  const { data: servers = [] } = useQuery(serversQuery(api, ecosystemId));
  return (id) => {
    const found = [...users, ...servers].find((each) => each.id === id);
    const name = found ? nameOf(found) : id;
    return name === id ? shortId(id) : name;
  };
}
