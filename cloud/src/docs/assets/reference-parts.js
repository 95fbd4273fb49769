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

  /** What can be scrolled can be reached by the keyboard. */
  const scrolled = (Original) => (props) =>
    h("div", { className: "scrolled", tabIndex: 0, role: "group", "aria-label": "Code" }, h(Original, props));

  return {
    components: { PorchlightLayout },
    wrapComponents: {
      OperationSummaryPath: path,
      authorizationPopup: dialog,
      CloseIcon: cross,
      Button: button,
      highlightCode: scrolled,
    },
  };
}
