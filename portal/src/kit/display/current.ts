/** Whether what is shown is what is, or what was last known: what shows a state asks here, so that none claims what nobody knows. */
import { createContext, use } from "react";

const Current = createContext(true);

/** Says it to everything below. */
export const CurrentProvider = Current.Provider;

/** False while nothing is heard of the service. */
export const useIsCurrent = (): boolean => use(Current);
