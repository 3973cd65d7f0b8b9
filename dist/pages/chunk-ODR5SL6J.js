function E({code:s,message:r}){let e=s==="duets-set-aside"?/^(\d+) of (\d+) /.exec(r):null;return e===null?null:{aside:Number(e[1]),all:Number(e[2])}}export{E as a};
