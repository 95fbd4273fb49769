/** Ends the log-in of this browser. */
import { useMutation } from "@tanstack/react-query";
import { useAccess } from "../../session/context.tsx";

export function useLogOut() {
  const { api, session } = useAccess();
  return useMutation({
    mutationFn: () => api.account.logOut(),
    onSuccess: () => {
      session.left();
      // A full page load clears the account's data from the tab's memory.
      location.assign("/login");
    },
  });
}
