() => [...document.querySelectorAll(".cogkit-figure")].every((figure) => {
    const drawn = figure.querySelector(".main-svg")?.getBoundingClientRect().width;
    return Math.abs(drawn - figure.closest(".jp-OutputArea-output").clientWidth) < 1;
})
