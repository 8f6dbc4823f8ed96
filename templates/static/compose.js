// Composing a ply without loading whole pages: cells and controls are links to this page as it is then.
// Arrow keys move over the board, and under a finger a fine board is magnified.
"use strict";

(() => {
  const parser = new DOMParser();
  const FINE = 30; // pixels from cell to cell: less is too fine for a finger
  let asked = 0;
  let timer = 0;
  let doing = ""; // what was clicked last and is on its way to the server
  let last = "";
  const hurried = []; // what was clicked meanwhile: done to the page that comes, or not at all

  let unread = false; // the move was typed on, and the server has not read it yet
  const PARTS = ["heading", "board", "hint", "problem", "controls", "planned", "undo", "told", "ways", "mail", "counts"];

  const part = (name) => document.querySelector(`[data-swap="${name}"]`);
  const places = () => [...document.querySelectorAll(".click .places > *")]; // cells to click, and others to hear
  const cells = () => places().filter((place) => place.matches("a"));
  const nameOf = (place) => (place.querySelector("[data-cell]") ?? place).dataset.cell;
  const named = (name) => cells().find((cell) => nameOf(cell) === name);

  const live = document.createElement("p");
  live.className = "skip";
  live.setAttribute("aria-live", "polite");
  document.body.append(live);

  // ---- the page as it is after a click

  function swap(html, url, typing) {
    const fresh = parser.parseFromString(html, "text/html");
    const field = fresh.getElementById("move");
    if (!field) { location.href = url; return; }
    const focus = document.activeElement;
    const cell = focus?.closest?.(".click .places > *") && nameOf(focus);
    const control = focus?.closest?.("[data-go]")?.textContent;
    for (const name of PARTS) part(name)?.replaceWith(document.adoptNode(fresh.querySelector(`[data-swap="${name}"]`)));
    unread = false;
    document.dispatchEvent(new Event("swapped"));
    inert();
    if (!typing) document.getElementById("move").value = field.value;
    history.replaceState(null, "", url);
    const here = rove(cell);
    if (cell) here?.focus({ preventScroll: true });
    else if (control) {
      const controls = [...document.querySelectorAll(".planner [aria-current]"), ...document.querySelectorAll("[data-go]")];
      (controls.find((each) => each.ariaCurrent) ?? controls.find((each) => each.textContent === control) ?? document.getElementById("move")).focus({ preventScroll: true });
    }
    const asks = part("controls").querySelector("[data-go], input");
    const ready = "ready" in document.querySelector('#send [value="send"]').dataset;
    if (asks && !ready && field.value && !typing) part("controls").scrollIntoView({ block: "nearest" }); // the colour of a stone
    const problem = part("problem").textContent.trim();
    live.textContent = problem ? "" : `${document.getElementById("move").value || "No cell yet"}. ${part("hint").textContent}`;
    address();
  }

  async function go(url, typing = false) {
    const mine = ++asked;
    clearTimeout(timer);
    try {
      const answer = await fetch(url, { headers: { Accept: "text/html" } });
      const html = await answer.text();
      if (mine !== asked) return;
      doing = "";
      swap(html, answer.url, typing);
      hurried.shift()?.();
    } catch {
      if (mine === asked) location.href = url;
    }
  }

  // ---- clicks, also those that come before the page for the last one has

  function click(key, url) {
    doing = last = key;
    inert();
    go(new URL(url, location.href).href);
  }

  function later(find, then) {
    hurried.push(() => {
      const found = find();
      if (found) then(found);
      else hurried.length = 0; // what is gone cannot be clicked, and what was to follow may mean another thing
    });
  }

  function follow(link) {
    const key = link.closest(".click") ? nameOf(link) : link.textContent.trim();
    if (!doing) { click(key, link.getAttribute("href")); return; }
    last = key;
    const same = (each) => each.textContent.trim() === key;
    later(() => named(key) ?? [...document.querySelectorAll("[data-go]")].find(same), follow);
  }

  function enter(form) {
    const key = form.querySelector("label").textContent;
    if (!doing) { click(key, `?${new URLSearchParams(new FormData(form))}`); return; }
    const number = form.elements.amount.value;
    const same = (each) => each.querySelector("label").textContent === key;
    later(() => [...document.querySelectorAll("[data-amount]")].find(same), (found) => {
      found.elements.amount.value = number;
      enter(found);
    });
  }

  const plain = (event) => !(event.button || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey);

  document.addEventListener("click", (event) => {
    const mail = doing && event.target.closest("[data-mail]");
    if (mail) {
      event.preventDefault();
      later(() => document.querySelector("[data-mail]"), (found) => found.click());
    }
    const link = event.target.closest(".click a, a[data-go]");
    if (!link || !plain(event)) return;
    event.preventDefault();
    const cell = link.closest(".click") && nameOf(link);
    if (event.detail < 2 || cell !== last) follow(link); // the second of a double click would take it back
  });

  document.addEventListener("input", (event) => {
    if (event.target.id === "words") address();
    if (event.target.id !== "move") return;
    clearTimeout(timer);
    hurried.length = 0;
    doing = "";
    unread = true;
    ++asked;
    timer = setTimeout(() => go(`?move=${encodeURIComponent(event.target.value)}`, true), 250);
  });

  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (form.matches("[data-amount]")) {
      event.preventDefault();
      enter(form);
    } else if (event.submitter?.value === "send" && doing) {
      event.preventDefault(); // the field holds the ply without the last click
      later(() => document.querySelector('#send [value="send"]'), (found) => form.requestSubmit(found));
    } else if (event.submitter?.value === "send" && !unread && event.submitter.ariaDisabled === "true") {
      event.preventDefault();
      live.textContent = part("hint").textContent;
    } else if (event.submitter?.value === "send" && part("planned")) {
      event.preventDefault(); // a planned move is not sent, but shown
      click("send", `?${new URLSearchParams(new FormData(form, event.submitter))}`);
    } else if (event.submitter?.value === "send") {
      const stays = window.pbem && /^\/games\/\d+$/.test(location.pathname);
      if (form.dataset.sent || stays) event.preventDefault(); // the server knows the same form again; this spares the wait
      if (stays && !form.dataset.sent) send(form, event.submitter);
      form.dataset.sent = "yes";
    } else if (event.submitter?.value === "show") {
      event.preventDefault();
      go(`?move=${encodeURIComponent(document.getElementById("move").value)}`, true);
    }
  });

  // A player's own page stays, and shows the move at once; what the server refuses has a page of its own.
  async function send(form, button) {
    const filled = new URLSearchParams(new FormData(form, button));
    try {
      const answer = await fetch(form.action, { method: "POST", body: filled, headers: { Accept: "text/html" } });
      const html = await answer.text();
      if (!answer.redirected && html.includes('id="send"')) window.pbem.show(html);
      else if (!answer.redirected) refuse(form, html);
      else if (html.includes("data-told")) await window.pbem.sent(html, answer.url);
      else location.href = answer.url;
    } catch {
      const again = document.createElement("input"); // whatever became of the first: the same form counts once
      [again.type, again.name, again.value] = ["hidden", button.name, button.value];
      form.append(again);
      form.submit();
    }
  }

  // An answer without a form, such as too many requests: its sentence, and all that was written stays.
  function refuse(form, html) {
    const main = parser.parseFromString(html, "text/html").getElementById("main");
    const told = document.createElement("p");
    told.className = "problem";
    told.setAttribute("role", "alert");
    told.textContent = main?.querySelector("p")?.textContent ?? "This could not be sent. Please try again.";
    part("problem").replaceChildren(told);
    delete form.dataset.sent;
  }

  addEventListener("pageshow", () => { delete document.getElementById("send")?.dataset.sent; });

  // ---- nothing is sent before a move is chosen

  function inert() {
    const send = document.querySelector('#send [value="send"]');
    send.ariaDisabled = "ready" in send.dataset || doing ? "false" : "true"; // what is clicked meanwhile is kept
  }

  // ---- the mail, with the words as they are typed

  function address() {
    const link = document.querySelector("[data-mail]");
    if (!link) return;
    const words = document.getElementById("words")?.value.trim();
    const tail = words ? encodeURIComponent(`\r\n\r\n${words.replace(/\r?\n/g, "\r\n")}`) : "";
    link.href = link.dataset.mail + tail;
    link.hidden = link.href.length > Number(link.dataset.most);
  }

  // ---- arrow keys: they lead to every cell, and one alone is a tab stop

  function rove(name) {
    const all = places();
    const here = all.find((place) => nameOf(place) === name) ?? cells()[0] ?? all[0];
    for (const place of all) place.setAttribute("tabindex", place === here ? "0" : "-1");
    return here;
  }

  const ways = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  const centre = (cell) => {
    const box = cell.getBoundingClientRect();
    return [box.left + box.width / 2, box.top + box.height / 2];
  };

  function beside(from, [dx, dy]) {
    const [x, y] = centre(from);
    let best = null;
    let least = Infinity;
    for (const cell of places()) {
      const [cx, cy] = centre(cell);
      const along = (cx - x) * dx + (cy - y) * dy;
      const across = Math.abs((cx - x) * dy) + Math.abs((cy - y) * dx);
      if (across > 1.2 * along || along < 2 || along + across >= least) continue;
      least = along + across;
      best = cell;
    }
    return best;
  }

  document.addEventListener("keydown", (event) => {
    const cell = event.target.closest?.(".click .places > *");
    if (!cell || !(event.key in ways) || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    const next = beside(cell, ways[event.key]);
    if (!next) return;
    rove(nameOf(next));
    next.focus({ preventScroll: false });
  });

  // ---- the lens: while a finger lies on a fine board it shows what is below, and takes it when lifted

  let lens = null;
  let aim = null;

  function pitch() {
    const hex = document.querySelector(".click svg.board [data-cell]");
    return hex ? hex.getBoundingClientRect().width : FINE;
  }

  function nearest(x, y) {
    let best = null;
    let least = 3 * FINE;
    for (const cell of cells()) {
      const [cx, cy] = centre(cell);
      const far = Math.hypot(cx - x, cy - y);
      if (far < least) { least = far; best = cell; }
    }
    return best;
  }

  function show(x, y) {
    const board = document.querySelector(".click svg.board");
    if (!lens) {
      lens = document.createElement("div");
      lens.className = "lens";
      lens.setAttribute("aria-hidden", "true");
      const copy = board.cloneNode(true);
      copy.removeAttribute("aria-label");
      for (const link of copy.querySelectorAll("a")) link.removeAttribute("href");
      lens.append(copy, document.createElement("b"));
      document.body.append(lens);
    }
    const box = board.getBoundingClientRect();
    const view = board.viewBox.baseVal;
    const scale = Math.max(view.width / box.width, view.height / box.height);
    const left = box.left + (box.width - view.width / scale) / 2;
    const top = box.top + (box.height - view.height / scale) / 2;
    const wide = 46 * 3;
    const [px, py] = [view.x + (x - left) * scale, view.y + (y - top) * scale];
    const copy = lens.querySelector("svg");
    copy.setAttribute("viewBox", `${px - wide / 2} ${py - wide / 2} ${wide} ${wide}`);
    aim = nearest(x, y);
    for (const old of copy.querySelectorAll(".aim")) old.classList.remove("aim");
    if (aim) copy.querySelector(`[data-cell="${CSS.escape(nameOf(aim))}"]`).parentNode.classList.add("aim");
    lens.querySelector("b").textContent = aim ? nameOf(aim) : "";
    const size = lens.offsetWidth;
    const above = y - size - 28;
    lens.style.left = `${Math.min(Math.max(x - size / 2, 4), innerWidth - size - 4)}px`;
    lens.style.top = `${above > 4 ? above : y + 40}px`;
  }

  function hide() {
    lens?.remove();
    lens = aim = null;
  }

  document.addEventListener("touchstart", (event) => {

    if (event.touches.length > 1) { hide(); return; }
    if (!event.target.closest(".click svg.board") || pitch() >= FINE) return;
    event.preventDefault();
    show(event.touches[0].clientX, event.touches[0].clientY);
  }, { passive: false });

  document.addEventListener("touchmove", (event) => {
    if (!lens) return;
    event.preventDefault();
    show(event.touches[0].clientX, event.touches[0].clientY);
  }, { passive: false });

  document.addEventListener("touchend", (event) => {
    if (!lens) return;
    event.preventDefault();
    const chosen = aim;
    hide();
    if (chosen) follow(chosen);
  }, { passive: false });

  document.addEventListener("touchcancel", hide);

  document.addEventListener("change", (event) => {
    if (event.target.id === "larger") localStorage.setItem("larger", event.target.checked ? "yes" : "no");
  });

  function begin() {
    [doing, last, unread, hurried.length] = ["", "", false, 0];
    if (!document.getElementById("send")) return;
    const larger = document.getElementById("larger");
    if (larger) larger.checked = localStorage.getItem("larger") === "yes";
    rove();
    inert();
    address();
  }

  document.addEventListener("shown", begin);
  begin();
})();
