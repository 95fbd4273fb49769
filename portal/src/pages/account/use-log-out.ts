/** Ends the log-in of this browser. */
import { useMutation } from "@tanstack/react-query";
import { useAccess } from "../../session/context.tsx";

export function useLogOut() {
  const { api, session } = useAccess();
  return useMutation({
    mutationFn: () => api.account.logOut(),
    onSuccess: () => {
      session.left();
      // A page loaded anew: nothing of the account is left in the memory of the tab.
      location.assign("/login");
    },
  });
}
