// Runs before the first paint, so that a dark journal never flashes white. A separate file, because the page allows no inline script.
;(() => {
  const saved = localStorage.getItem('vite-ui-theme')
  const dark = saved === 'dark' || (saved !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.classList.toggle('dark', dark)
  if (localStorage.getItem('fillbook-palette') === 'colour-blind') document.documentElement.dataset.palette = 'colour-blind'
})()
