/* Keys, palette, dialogs, copying and toasts. Everything here is a shortcut: pages work without it. */
(() => {
  "use strict";
  const $ = (selector, root = document) => root.querySelector(selector);
  const $$ = (selector, root = document) => [...root.querySelectorAll(selector)];
  const shown = (element) => element.checkVisibility();

  /* ---- toasts: they leave by themselves, but wait while somebody reads them ---- */
  const READ_MS = 6000;
  const watchToast = (toast) => {
    if (toast.dataset.watched) return;
    toast.dataset.watched = "yes";
    const close = () => {
      toast.classList.add("leaving");
      setTimeout(() => toast.remove(), 200);
    };
    $("[data-close]", toast)?.addEventListener("click", close);
    if (toast.dataset.toast === "stay") return;
    let timer;
    const hold = () => clearTimeout(timer);
    const go = () => {
      hold();
      timer = setTimeout(() => (toast.matches(":hover, :focus-within") ? go() : close()), READ_MS);
    };
    toast.addEventListener("pointerenter", hold);
    toast.addEventListener("pointerleave", go);
    toast.addEventListener("focusin", hold);
    toast.addEventListener("focusout", go);
    go();
  };
  const say = (text, tone = "info") => {
    const model = $("#toast-model");
    const list = $("#toasts");
    if (!model || !list) return;
    const toast = model.content.firstElementChild.cloneNode(true);
    toast.classList.add(`t-${tone}`);
    $("span", toast).textContent = text;
    list.append(toast);
    watchToast(toast);
  };
  const watchToasts = () => $$("[data-toast]").forEach(watchToast);

  /* ---- dialogs: a link with data-dialog opens the dialog it names; its href is the way without us ---- */
  const open = (dialog, opener) => {
    if (!dialog || dialog.open) return;
    $$(":popover-open").forEach((each) => each.hidePopover());
    dialog.showModal();
    dialog.addEventListener("close", () => opener?.focus(), { once: true });
  };
  document.addEventListener("click", (event) => {
    const target = event.target;
    if (!(target instanceof Element)) return;
    const opener = target.closest("[data-dialog]");
    const dialog = opener && $(opener.dataset.dialog);
    if (dialog && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
      event.preventDefault();
      open(dialog, opener);
      return;
    }
    if (target.closest("dialog [data-close]")) {
      event.preventDefault();
      target.closest("dialog").close();
    } else if (target instanceof HTMLDialogElement && !target.hasAttribute("data-keep")) {
      const box = target.getBoundingClientRect();
      const { clientX: x, clientY: y } = event;
      if (x < box.left || x > box.right || y < box.top || y > box.bottom) target.close();
    }
  });

  /* ---- copying ---- */
  document.addEventListener("click", async (event) => {
    const button = event.target instanceof Element && event.target.closest("[data-copy]");
    if (!button) return;
    const text = button.dataset.copy || $("pre, code", button.parentElement)?.textContent || "";
    try {
      await navigator.clipboard.writeText(text.trim());
      const word = $("span", button);
      if (word && !button.dataset.word) {
        button.dataset.word = word.textContent;
        word.textContent = "Copied";
        setTimeout(() => {
          word.textContent = button.dataset.word;
          delete button.dataset.word;
        }, 1500);
      }
      say("Copied to the clipboard.");
    } catch {
      const source = $("pre, code", button.parentElement);
      if (source) getSelection().selectAllChildren(source);
      say("The browser does not allow copying here. The text is selected: copy it yourself.", "warn");
    }
  });

  /* ---- the command palette: links from the server, moved through by keys ---- */
  const palette = $("#palette");
  if (palette) {
    const input = $("input", palette);
    const results = $("#palette-results");
    let at = 0;
    const options = () => $$("a", results);
    const mark = (next) => {
      const all = options();
      at = all.length ? (next + all.length) % all.length : 0;
      all.forEach((option, i) => option.setAttribute("aria-selected", String(i === at)));
      input.setAttribute("aria-activedescendant", all[at]?.id ?? "");
      all[at]?.scrollIntoView({ block: "nearest" });
    };
    const dress = () => {
      const list = document.createElement("div");
      list.id = "palette-list";
      list.setAttribute("role", "listbox");
      list.setAttribute("aria-label", "Results");
      list.append(...results.childNodes);
      results.replaceChildren(list);
      $$("section", list).forEach((section) => {
        section.setAttribute("role", "group");
        section.setAttribute("aria-label", $("h2", section)?.textContent ?? "");
        $$("h2, ul, li", section).forEach((each) => each.setAttribute("role", "presentation"));
        $("h2", section)?.setAttribute("aria-hidden", "true");
      });
      const all = options();
      all.forEach((option, i) => {
        option.id = `palette-${i}`;
        option.tabIndex = -1;
        option.setAttribute("role", "option");
      });
      if (!all.length) list.removeAttribute("role");
      input.setAttribute("aria-expanded", String(all.length > 0));
      $("#palette-count").textContent = all.length === 1 ? "1 result" : `${all.length} results`;
      mark(0);
    };
    results.addEventListener("htmx:afterSwap", dress);
    input.addEventListener("keydown", (event) => {
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      if (step) {
        event.preventDefault();
        mark(at + step);
      } else if (event.key === "Enter" && options()[at]) {
        event.preventDefault();
        options()[at].click();
      }
    });
    results.addEventListener("click", (event) => {
      if (event.target.closest("a")) palette.close();
    });
  }
  const openPalette = () => {
    if (!palette || palette.open) return;
    open(palette, document.activeElement);
    const input = $("input", palette);
    input.select();
    htmx.trigger(input, "open");
  };

  /* ---- rows: j and k move, Enter opens ---- */
  const rows = () => $$("[data-rows]").filter(shown).flatMap((list) => $$(":scope > tbody > tr, :scope > li", list)).filter(shown);
  const move = (step) => {
    const all = rows();
    if (!all.length) return false;
    const from = all.findIndex((row) => row.hasAttribute("data-at"));
    const to = from < 0 ? (step > 0 ? 0 : all.length - 1) : Math.min(Math.max(from + step, 0), all.length - 1);
    all[from]?.removeAttribute("data-at");
    const row = all[to];
    row.setAttribute("data-at", "");
    row.scrollIntoView({ block: "nearest" });
    const link = $("[data-open], a[href]", row);
    if (link) link.focus({ preventScroll: true });
    else {
      row.tabIndex = -1;
      row.focus({ preventScroll: true });
    }
    return true;
  };

  /* ---- steps of a trace: up and down move and open, a click marks the row ---- */
  const markStep = (link) => {
    $$("[data-steps] [aria-current]").forEach((each) => each.removeAttribute("aria-current"));
    $$("[data-steps] .on").forEach((each) => each.classList.remove("on"));
    link.setAttribute("aria-current", "true");
  };
  const step = (by) => {
    const links = $$("[data-steps] th a");
    if (!links.length || !(document.activeElement === document.body || document.activeElement.closest("[data-steps], .steps-box"))) return false;
    const at = links.findIndex((link) => link.hasAttribute("aria-current"));
    const link = links[Math.min(Math.max(at + by, 0), links.length - 1)];
    link.focus({ preventScroll: true });
    link.scrollIntoView({ block: "nearest" });
    if (!link.hasAttribute("aria-current")) link.click();
    return true;
  };
  document.addEventListener("click", (event) => {
    const link = event.target instanceof Element && event.target.closest("[data-steps] th a");
    if (link) markStep(link);
  });

  /* ---- bars over time: dragging across them fills in the form's times ---- */
  let drag = null;
  const across = (event) => {
    const box = drag.chart.getBoundingClientRect();
    return Math.min(Math.max((event.clientX - box.left) / box.width, 0), 1);
  };
  document.addEventListener("pointerdown", (event) => {
    const chart = event.target instanceof Element && event.target.closest("[data-brush]");
    if (!chart || event.button || event.pointerType === "touch") return;
    drag = { chart, from: 0, to: 0, x: event.clientX };
    drag.from = drag.to = across(event);
    event.preventDefault();
  });
  document.addEventListener("pointermove", (event) => {
    if (!drag) return;
    drag.to = across(event);
    const brush = $(".brush", drag.chart);
    brush.setAttribute("x", `${Math.min(drag.from, drag.to) * 100}%`);
    brush.setAttribute("width", `${Math.abs(drag.to - drag.from) * 100}%`);
  });
  document.addEventListener("pointerup", (event) => {
    if (!drag) return;
    const { chart, from, to, x } = drag;
    drag = null;
    const form = $("#filter");
    if (!form || Math.abs(event.clientX - x) < 6) return;
    /* The chart tells its times in the zone of the page, which need not be the browser's. */
    const [start, end] = [chart.dataset.start, chart.dataset.end].map((text) => Date.parse(`${text.slice(0, 19)}Z`));
    const edge = (share) => new Date(start + share * (end - start)).toISOString().slice(0, 19);
    form.elements.range.value = "between";
    form.elements.start.value = edge(Math.min(from, to));
    form.elements.end.value = edge(Math.max(from, to));
    /* The click that ends a drag is no click on a bar. */
    const swallow = (click) => click.preventDefault();
    document.addEventListener("click", swallow, true);
    setTimeout(() => {
      document.removeEventListener("click", swallow, true);
      form.requestSubmit();
    }, 0);
  });
  document.addEventListener("dragstart", (event) => drag && event.preventDefault());

  /* ---- keys: never while somebody types, never with Ctrl, Alt or Meta, except Ctrl-K ---- */
  const typing = (element) =>
    element instanceof HTMLElement &&
    (element.isContentEditable ||
      /^(TEXTAREA|SELECT)$/.test(element.tagName) ||
      (element.tagName === "INPUT" && !/^(button|submit|reset|checkbox|radio)$/.test(element.type)));
  const press = {
    j: () => move(1),
    k: () => move(-1),
    ArrowDown: () => step(1),
    ArrowUp: () => step(-1),
    "/": () => {
      const search = $("#search");
      if (!search || !shown(search)) return openPalette() ?? true;
      search.focus();
      search.select();
      return true;
    },
    "?": () => {
      open($("#keys"), document.activeElement);
      return true;
    },
  };
  document.addEventListener("keydown", (event) => {
    if (event.isComposing || event.defaultPrevented) return;
    if ((event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && event.key.toLowerCase() === "k") {
      if (!palette) return;
      event.preventDefault();
      if (palette.open) palette.close();
      else if (!$("dialog:modal")) openPalette();
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey || typing(event.target)) return;
    const modal = $("dialog:modal");
    const own = /^[\w[\]]$/.test(event.key) && $(`[data-key="${event.key}"]`, modal ?? document);
    if (own && shown(own)) {
      event.preventDefault();
      own.click();
    } else if (!modal && press[event.key]?.()) {
      event.preventDefault();
    } else if (event.key === "Enter" && event.target instanceof HTMLElement && event.target.matches("tr[data-at], li[data-at]")) {
      $("[data-open], a[href]", event.target)?.click();
    }
  });
  $("#search")?.addEventListener("keydown", (event) => event.key === "Escape" && event.target.blur());

  /* ---- htmx: new toasts, lost sessions, answers that failed ---- */
  document.addEventListener("htmx:load", watchToasts);
  document.addEventListener("htmx:oobAfterSwap", watchToasts);
  document.addEventListener("htmx:beforeSwap", (event) => {
    const url = event.detail.xhr.responseURL;
    if (url && new URL(url).pathname === "/sign-in") {
      event.detail.shouldSwap = false;
      location.reload();
    }
  });
  document.addEventListener("htmx:responseError", () => say("That did not work. Reload the page and try again.", "bad"));
  document.addEventListener("htmx:sendError", () => say("Whetstone does not answer. Check the connection and try again.", "bad"));

  /* ---- a choice that applies at once: its button is only there for those without scripts ---- */
  document.addEventListener("change", (event) => {
    if (event.target instanceof Element && event.target.closest("[data-submit]")) event.target.form?.requestSubmit();
  });
  document.documentElement.classList.add("js");
  watchToasts();
})();
