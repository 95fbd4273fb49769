/** Ten thousand hubs come back to one node that is alone after a cold start of everything, with `--long` also after ten minutes without it; a file of its own beside that of several nodes, because each takes minutes. */
import { rounds } from "../parts/rounds.ts";
import { coldStart, LONG, SHORT } from "./nodes/cold-start.ts";

await coldStart(1, [SHORT, LONG].slice(0, rounds(1, 2)));
