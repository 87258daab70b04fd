/** The style of the guides. Readable on a phone, in light and dark, and on paper. */
export const style = `
:root{color-scheme:light dark;--text:light-dark(#1d1f23,#e6e6e3);--quiet:light-dark(#5a5f69,#a3a7b0);--line:light-dark(#dcdfe4,#3a3d44);--paper:light-dark(#fff,#17181b);--code:light-dark(#f4f5f7,#222429);--link:light-dark(#0b57b8,#82b4ff)}
*{box-sizing:border-box}
html{scroll-padding-top:1rem}
body{margin:0;font:1rem/1.6 system-ui,sans-serif;color:var(--text);background:var(--paper)}
a{color:var(--link)}
a:focus-visible,button:focus-visible,input:focus-visible,pre:focus-visible,.wide:focus-visible{outline:3px solid var(--link);outline-offset:2px}
.skip{position:absolute;left:-999px}.skip:focus{left:1rem;top:.5rem;background:var(--paper)}
header{display:flex;flex-wrap:wrap;gap:.5rem 1.5rem;align-items:center;padding:.75rem 1.25rem;border-bottom:1px solid var(--line)}
header>a{font-weight:600;padding:.25rem 0}
form{display:flex;gap:.5rem;flex:1 1 14rem;justify-content:flex-end}
input,button{font:inherit;color:inherit;background:var(--code);border:1px solid var(--line);border-radius:.4rem;padding:.35rem .6rem;min-width:0}
input{flex:0 1 20rem}
.page{display:grid;grid-template-columns:15rem minmax(0,44rem);gap:3rem;max-width:72rem;margin:0 auto;padding:1.5rem 1.25rem 4rem}
nav ul{list-style:none;margin:0;padding:0;position:sticky;top:1rem}
nav a{display:block;padding:.3rem .6rem;border-radius:.4rem;text-decoration:none}
nav a[aria-current]{background:var(--code);color:inherit;font-weight:600}
h1{font-size:1.9rem;line-height:1.2;margin:.2rem 0 1rem}h2{margin:2.5rem 0 .75rem;font-size:1.35rem}h3{margin:1.75rem 0 .5rem;font-size:1.05rem}
h1,h2,h3{overflow-wrap:anywhere}
.anchor{color:var(--quiet);text-decoration:none;font-weight:400}
code{font:.9em/1.5 ui-monospace,monospace;background:var(--code);border-radius:.25rem;padding:.1em .3em;overflow-wrap:anywhere}
pre{background:var(--code);border-radius:.5rem;padding:1rem;overflow-x:auto}
pre code{padding:0;background:none;overflow-wrap:normal}
.wide{overflow-x:auto}table{border-collapse:collapse;width:100%}th,td{text-align:left;vertical-align:top;padding:.45rem .75rem .45rem 0;border-bottom:1px solid var(--line)}
.contents{padding:0;list-style:none}.contents li{margin-bottom:1rem}.contents p{margin:.1rem 0;color:var(--quiet)}small{color:var(--quiet)}
@media(max-width:52rem){.page{display:block}nav{display:none}form{justify-content:stretch}input{flex:1}}
@media print{header,nav,.anchor{display:none}.page{display:block}}
`;
