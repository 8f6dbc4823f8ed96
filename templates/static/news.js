// Asks if the page is still current, and shows the new one in its place, with what was typed meanwhile.
// Without this script a page shows what was so when it was made; while a bot is to move it loads itself anew.
"use strict";

(() => {
  const [SOON, OFTEN, SELDOM] = [2, 15, 60]; // seconds between two questions: a bot is to move or both play on, else, and at most
  const PATIENCE = 30; // questions without news, after which the pause is doubled
  const parser = new DOMParser();
  const main = document.getElementById("main");
  const own = location.pathname;
  let quiet = 0;
  let timer = 0;
  let shown = 0; // how often this page has changed: an answer for an earlier one is dropped

  const live = document.createElement("p");
  live.className = "skip";
  live.setAttribute("aria-live", "polite");
  document.body.append(live);

  function plan() {
    clearTimeout(timer);
    if (!main.dataset.news || document.hidden) return;
    const pause = ("soon" in main.dataset ? SOON : OFTEN) * 2 ** Math.floor(quiet / PATIENCE);
    timer = setTimeout(ask, 1000 * Math.min(pause, SELDOM));
  }

  async function ask() {
    const asked = main.dataset.news;
    quiet += 1;
    try {
      const answer = await fetch(asked, { cache: "no-store" });
      if (answer.status === 404) delete main.dataset.news; // the game is shown no more
      else if (answer.status === 200 && asked === main.dataset.news) await renew();
      else if (!answer.ok) quiet += PATIENCE;
      else if (/here|waiting|asked|playing/.test(asked)) quiet = 0; // the other player has this page open too
    } catch {
      quiet += PATIENCE; // a tunnel, or a server that restarts
    }
    plan();
  }

  async function renew() {
    document.dispatchEvent(new Event("news"));
    if (location.pathname !== own) return; // they look at another move; the new page comes when they are back
    const [here, before, asked] = [location.href, shown, main.dataset.news];
    const answer = await fetch(here, { headers: { Accept: "text/html" }, cache: "no-store" });
    const html = await answer.text();
    if (!answer.ok || location.href !== here || shown !== before) return;
    show(html);
    if (main.dataset.news !== asked) quiet = 0;
  }

  const typed = () => [...main.querySelectorAll("input[id], textarea[id]")].filter((field) => field.value !== field.defaultValue);

  // Shows another page's main part here. `keeps`: what was typed stays.
  function show(html, keeps = true) {
    const fresh = parser.parseFromString(html, "text/html");
    const next = fresh.getElementById("main");
    const kept = keeps ? typed().map((field) => [field.id, field.value]) : [];
    const opened = [...main.querySelectorAll("details")].map((each) => each.open);
    const focus = document.activeElement?.id;
    shown += 1;
    main.className = next.className;
    for (const name of ["news", "soon"]) {
      if (name in next.dataset) main.dataset[name] = next.dataset[name];
      else delete main.dataset[name];
    }
    main.replaceChildren(...document.adoptNode(next).childNodes);
    document.title = fresh.title;
    for (const [id, value] of kept) {
      const field = document.getElementById(id);
      if (field) field.value = value;
    }
    const folds = [...main.querySelectorAll("details")];
    if (folds.length === opened.length) folds.forEach((each, n) => { each.open = opened[n]; });
    if (focus) document.getElementById(focus)?.focus({ preventScroll: true });
    live.textContent = main.querySelector(".outcome, h1")?.textContent.trim() ?? "";
    document.dispatchEvent(new Event("shown"));
  }

  // After a move was sent: the page as it is now, with what the server said of the move above its board.
  async function sent(html, place) {
    shown += 1;
    const said = [...parser.parseFromString(html, "text/html").querySelectorAll("[data-told]")];
    const answer = await fetch(own, { headers: { Accept: "text/html" }, cache: "no-store" });
    if (!answer.ok) { location.href = place; return; }
    history.replaceState(null, "", own);
    quiet = 0;
    show(await answer.text(), false);
    const told = document.createElement("div");
    told.className = "recorded";
    for (const each of said) {
      const line = document.createElement(each.matches("h1") ? "strong" : each.localName);
      line.className = each.className;
      line.append(...each.childNodes);
      if (each.href) line.href = each.href;
      told.append(line);
    }
    main.querySelector(".desk .players")?.after(told);
    live.textContent = told.textContent;
    plan();
  }

  document.addEventListener("swapped", () => { shown += 1; });
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) clearTimeout(timer);
    else if (main.dataset.news) {
      quiet = 0;
      ask();
    }
  });

  window.pbem = { show, sent };
  plan();
})();
