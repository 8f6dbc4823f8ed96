// Steps through a game with the arrow keys, Home and End, a finger across the board, and without loading
// whole pages.
// Without this script every step is a link to a page of its own.
"use strict";

(() => {
  const parser = new DOMParser();
  const pages = new Map();
  const composing = () => document.getElementById("send") !== null; // its board has a script of its own
  const stepOf = { ArrowLeft: "previous", ArrowRight: "next", Home: "start", End: "last" };
  let asked = 0;

  const live = document.createElement("p");
  live.className = "skip";
  live.setAttribute("aria-live", "polite");
  document.body.append(live);

  function page(url) {
    if (!pages.has(url)) {
      const loading = fetch(url, { headers: { Accept: "text/html" } }).then((answer) => {
        if (!answer.ok) throw new Error(answer.status);
        return answer.text();
      });
      loading.catch(() => pages.delete(url));
      pages.set(url, loading);
    }
    return pages.get(url);
  }

  function prefetch() {
    for (const link of document.querySelectorAll("a[data-step=previous], a[data-step=next]")) page(link.href).catch(() => {});
  }

  const places = (board) => new Set([...board.querySelectorAll(".stones > g")].map((g) => g.outerHTML));

  function swap(html, url) {
    const fresh = parser.parseFromString(html, "text/html");
    if (fresh.getElementById("send")) { // a board to click on
      history.replaceState(null, "", url);
      window.pbem.show(html);
      return;
    }
    const before = places(document);
    const typed = document.getElementById("comment")?.value; // goes along to the other move
    const opened = document.querySelector("details.stones").open;
    const focused = document.activeElement?.closest("[data-step], [data-ply], [data-play]")?.dataset;
    for (const part of document.querySelectorAll("[data-swap]")) {
      const next = fresh.querySelector(`[data-swap="${part.dataset.swap}"]`);
      if (next) part.replaceWith(document.adoptNode(next));
    }
    if (typed) document.getElementById("comment").value = typed;
    for (const stone of document.querySelectorAll(".stones > g, .marks .last")) if (!before.has(stone.outerHTML)) stone.classList.add("fresh");
    document.querySelector("details.stones").open = opened;
    document.title = fresh.title;
    history.replaceState(null, "", url);
    live.textContent = document.querySelector("[data-announce]").textContent;
    if (focused) {
      const same = focused.step ? `a[data-step="${focused.step}"]` : focused.ply ? `a[data-ply="${focused.ply}"]` : "a[data-play]";
      (document.querySelector(same) ?? document.querySelector("a[data-step]"))?.focus({ preventScroll: true });
    }
    follow();
    prefetch();
  }

  // Beside a board that stays in view, the list goes along with it; where it has no frame of its own, it stays.
  function follow() {
    const [reel, here] = [document.querySelector(".reel"), document.querySelector(".reel li.here")];
    if (!here) return;
    const [frame, line, air] = [reel.getBoundingClientRect(), here.getBoundingClientRect(), 60];
    const [over, under] = [line.top - air - frame.top, line.bottom + air - frame.bottom];
    if (over < 0 || line.height + 2 * air > frame.height) reel.scrollTop += over;
    else if (under > 0) reel.scrollTop += under;
  }

  async function go(url) {
    const mine = ++asked;
    try {
      const html = await page(url);
      if (mine === asked) swap(html, url);
    } catch {
      location.href = url;
    }
  }

  // Steps in a hurry are made one after the other, each from where the one before has led.
  let under = 0;
  let steps = Promise.resolve();

  function step(name) {
    under += 1;
    steps = steps.then(async () => {
      const link = document.querySelector(`a[data-step="${name}"]`);
      if (link) await go(link.href);
      under -= 1;
    });
  }

  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (composing() || event.target.closest("input, textarea, select")) return;
    if (!(event.key in stepOf)) return;
    event.preventDefault();
    halt();
    if (!event.repeat || !under) step(stepOf[event.key]);
  });

  document.addEventListener("click", (event) => {
    const link = composing() ? null : event.target.closest("a[data-step], a[data-ply]");
    if (!link || event.button || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    halt();
    go(link.href);
  });

  // Plays by itself, on from the ply shown or again from the start, until somebody takes it in hand.
  const words = document.querySelector("a[data-play]")?.textContent;
  let playing = 0;

  function halt() {
    clearTimeout(playing);
    playing = 0;
    tell();
  }

  function tell() {
    const link = document.querySelector("a[data-play]");
    if (link) link.textContent = playing ? "Stop" : words;
  }

  async function play() {
    const next = document.querySelector("a[data-step=next]") ?? document.querySelector("a[data-step=start]");
    if (!next) return halt();
    await go(next.href);
    if (!playing) return tell();
    const ended = !document.querySelector("a[data-step=next]");
    playing = ended ? 0 : setTimeout(play, 1100);
    tell();
  }

  document.addEventListener("click", (event) => {
    const link = composing() ? null : event.target.closest("a[data-play]");
    if (!link || event.button || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    if (playing) return halt();
    playing = setTimeout(play);
    tell();
  });


  // A finger drawn across the board, more sideways than up or down: to the left is on, to the right is back.
  let from = null;

  document.addEventListener("touchstart", (event) => {
    const touch = !composing() && event.touches.length === 1 && event.target.closest(".desk figure") ? event.touches[0] : null;
    from = touch && { x: touch.clientX, y: touch.clientY };
  }, { passive: true });

  document.addEventListener("touchend", (event) => {
    if (!from || visualViewport?.scale > 1.01) return;
    const { clientX, clientY } = event.changedTouches[0];
    const [x, y] = [clientX - from.x, clientY - from.y];
    from = null;
    if (Math.abs(x) < 40 || Math.abs(x) < 2 * Math.abs(y)) return;
    halt();
    step(x < 0 ? "next" : "previous");
  }, { passive: true });

  function begin() {
    if (composing()) return;
    follow();
    prefetch();
  }

  document.addEventListener("news", () => pages.clear());
  document.addEventListener("shown", begin);
  begin();
})();
