function e({piece:n,place:u},t){let r=Object.hasOwn(n.series,t)?n.series[t]:null;return(r?.status?.[u]??" ")===" "?r?.value[u]??null:null}export{e as a};
