/** What a token is called where only its ID is known. */
import { useQuery } from "@tanstack/react-query";
import { namedTokensQuery, tokenName } from "../../data/named-tokens.ts";
import { ownLogInQuery } from "../../data/subjects.ts";
import { shortId } from "../../kit/text/names.ts";
import { useApi } from "../../session/context.tsx";

/** A token's name by its ID; the ID in short where its owner is not known, or it was revoked. */
export function useTokenNames(ecosystemId: string): (tokenId: string) => string {
  const api = useApi();
  const { data } = useQuery(namedTokensQuery(api, ecosystemId));
  const { data: logIn } = useQuery(ownLogInQuery(api));
  return (tokenId) => {
    if (tokenId === logIn?.id) return "this session";
    const known = data?.tokens.find(({ id }) => id === tokenId);
    return known ? tokenName(known) : shortId(tokenId);
  };
}
