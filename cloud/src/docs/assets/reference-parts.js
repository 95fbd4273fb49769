/** Parts of Swagger UI in our own way: a layout without its frame, and controls that a keyboard and a screen reader can use. */
export function porchlightParts({ React }) {
  const h = React.createElement;

  /** Token first, then the routes; no server to choose, for there is one. */
  const PorchlightLayout = ({ getComponent }) => {
    const AuthorizeButton = getComponent("AuthorizeBtnContainer", true);
    const Operations = getComponent("operations", true);
    const Errors = getComponent("errors", true);
    return h(
      "div",
      { className: "swagger-ui" },
      h("div", { className: "token-bar" }, h(AuthorizeButton)),
      h(Errors),
      h(Operations),
    );
  };

  /** The path as text: it stands in a button, where a link would be a control within a control. */
  const path = () => (props) => {
    const { operationProps } = props;
    const parts = operationProps.get("path").split(/(?=\/)/g);
    return h(
      "span",
      { className: "opblock-summary-path", "data-path": operationProps.get("path") },
      parts.flatMap((part, at) => (at === 0 ? [part] : [h("wbr", { key: at }), part])),
    );
  };

  /** A dialog that says that it is one. */
  const dialog = (Original) => (props) =>
    h("div", { role: "dialog", "aria-modal": true, "aria-label": "Your token" }, h(Original, props));

  /** The cross, with its name. */
  const cross = (Original) => (props) =>
    h(React.Fragment, null, h("span", { className: "unseen" }, "Close"), h(Original, props));

  /** A button is called what is written on it. */
  const button =
    (Original) =>
    ({ "aria-label": _label, ...props }) =>
      h(Original, props);

  /** Describes what to enter. */
  const tokenButton = () => (props) => {
    const { isAuthorized, showPopup, onClick, getComponent } = props;
    const label = isAuthorized ? "Change or forget the token" : "Enter your token";
    const type = isAuthorized ? "btn" : "btn authorize";
    return h(
      "div",
      { className: "auth-wrapper" },
      h("button", { type: "button", className: `${type} token-button`, onClick }, label),
      showPopup ? h(getComponent("authorizationPopup", true)) : null,
    );
  };

  return {
    components: { PorchlightLayout },
    wrapComponents: {
      OperationSummaryPath: path,
      authorizationPopup: dialog,
      authorizeBtn: tokenButton,
      CloseIcon: cross,
      Button: button,
    },
  };
}

/** What no part of it can be told: names for controls without one, and roles that are none. Holds for whatever is drawn later. */
export function mendAsDrawn(place) {
  const mend = () => {
    for (const area of place.querySelectorAll("textarea:not([aria-label])")) area.setAttribute("aria-label", "Body");
    for (const list of place.querySelectorAll("select:not([aria-label])"))
      list.setAttribute("aria-label", list.closest("[data-param-name]")?.dataset.paramName ?? "Content type");
    for (const field of place.querySelectorAll(".modal-ux input:not([autocomplete])"))
      field.setAttribute("autocomplete", "off");
    for (const code of place.querySelectorAll("pre:not([tabindex])")) code.setAttribute("tabindex", "0");
    for (const table of place.querySelectorAll("table[role=region]")) table.removeAttribute("role");
    for (const heading of place.querySelectorAll("h6:not([aria-level])")) heading.setAttribute("aria-level", "5");
  };
  new MutationObserver(mend).observe(place, { childList: true, subtree: true });
}
