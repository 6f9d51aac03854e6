/* Search without a server: index.js, made with the site, holds the text of every section. It is
 * loaded when somebody starts to type. A section is found if it has every word; words in its title
 * count most, then words that begin there. */
(function () {
  "use strict";
  var box = document.querySelector(".search"), input = document.getElementById("search");
  var list = document.getElementById("found"), root = box.dataset.root, loading = false;
  var here = document.querySelector("nav.site .here");
  box.hidden = false;
  if (here && getComputedStyle(here.closest("nav")).position === "sticky") here.scrollIntoView({ block: "nearest" });

  function load() {
    if (loading) return;
    loading = true;
    var script = document.createElement("script");
    script.src = root + "/index.js";
    script.onload = show;
    document.head.appendChild(script);
  }

  function worth(section, words) {
    var title = section.title.toLowerCase(), text = section.text.toLowerCase(), total = 0;
    for (var i = 0; i < words.length; i++) {
      var at = title.indexOf(words[i]);
      if (at >= 0) total += title === words[i] ? 40 : at === 0 ? 20 : 10;
      else if ((at = text.indexOf(words[i])) >= 0) total += /\w/.test(text.charAt(at - 1)) ? 1 : 3;
      else return 0;
    }
    return total;
  }

  function part(section, word) {
    var at = Math.max(0, section.text.toLowerCase().indexOf(word) - 40);
    return (at ? "..." : "") + section.text.substr(at, 110);
  }

  function show() {
    var words = input.value.toLowerCase().split(/\s+/).filter(Boolean), found = [];
    list.textContent = "";
    if (!window.privgraphPages || !words.length) return;
    window.privgraphPages.forEach(function (section) {
      var value = worth(section, words);
      if (value) found.push([value, section]);
    });
    found.sort(function (a, b) { return b[0] - a[0]; });
    found.slice(0, 12).forEach(function (pair) {
      var item = document.createElement("li"), link = document.createElement("a");
      var small = document.createElement("small");
      link.href = root + "/" + pair[1].url;
      link.textContent = pair[1].title;
      small.textContent = pair[1].page + ": " + part(pair[1], words[0]);
      item.append(link, small);
      list.append(item);
    });
    if (!found.length) list.textContent = "Nothing found.";
  }

  input.addEventListener("focus", load);
  input.addEventListener("input", show);
  document.addEventListener("keydown", function (event) {
    if (event.key === "/" && document.activeElement.tagName !== "INPUT") {
      event.preventDefault();
      input.focus();
    }
  });
})();
