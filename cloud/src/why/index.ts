/** Why a property is as it is: gathered from commands, events, tokens, presence and the hub's journal. */
export { Why, type WhyDeps } from "./why.ts";
