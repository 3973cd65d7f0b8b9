function M({code:s,message:n}){let e=s==="duets-set-aside"?/^(\d+) of (\d+) /.exec(n):null;return e===null?null:{aside:Number(e[1]),all:Number(e[2])}}export{M as a};
